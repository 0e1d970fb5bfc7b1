import { setTimeout as delay } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ElicitResultSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

// A server on standard input and output, made with version 1 of the official SDK.

const tools = ['pid', 'wait', 'cancelled', 'sleep', 'ask', 'grow']
let cancelled = 0

const server = new Server({ name: 'tools', version: '1' }, { capabilities: { tools: { listChanged: true } } })
const textResult = (text: unknown) => ({ content: [{ type: 'text', text: String(text) }] })

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })),
}))

server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendRequest, sendNotification }) => {
  switch (params.name) {
    case 'wait':
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      cancelled += 1
      return textResult('cancelled')
    case 'cancelled':
      return textResult(cancelled)
    case 'sleep':
      await delay(Number(params.arguments?.['ms']))
      return textResult('slept')
    case 'ask': {
      const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } }
      const asked = { mode: 'form' as const, message: 'Who are you?', requestedSchema }
      const { content } = await sendRequest({ method: 'elicitation/create', params: asked }, ElicitResultSchema)
      return textResult(content?.['name'])
    }
    case 'grow':
      tools.push('grown')
      await sendNotification({ method: 'notifications/tools/list_changed' })
      return textResult('grown')
    default:
      return textResult(process.pid)
  }
})

await server.connect(new StdioServerTransport())
