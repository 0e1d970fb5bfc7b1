import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'

const answer = (text: unknown) => ({ content: [{ type: 'text' as const, text: String(text) }] })

/** A server made with version 1 of the official SDK, with all tools that `describeBackend` uses except `mirror`. */
export function createV1Server(): McpServer {
  const server = new McpServer(
    { name: 'v1', version: '1.2.3' },
    { capabilities: { logging: {} }, instructions: 'Be v1.' },
  )
  const text = { text: z.string() }

  server.registerTool('echo', { inputSchema: text }, async (args) => answer(args.text))
  server.registerTool('steps', {}, async ({ _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [1, 2, 3]) {
      // One after the other.
      // oxlint-disable-next-line no-await-in-loop
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken: progressToken ?? '', progress },
      })
    }
    return answer('done')
  })
  server.registerTool('wait', {}, async ({ signal }) => {
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve)
    })
    return answer('cancelled')
  })
  server.registerTool('ask', { inputSchema: text }, async (args, { sendRequest }) => {
    const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } }
    const params = { mode: 'form' as const, message: args.text, requestedSchema }
    const { content } = await sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema)
    return answer(content?.['name'])
  })
  server.registerTool('log', { inputSchema: text }, async (args, { sendNotification }) => {
    await sendNotification({ method: 'notifications/message', params: { level: 'info', data: args.text } })
    return answer('logged')
  })
  server.registerResource('note', 'test://note', {}, async (uri) => ({ contents: [{ uri: uri.href, text: 'a note' }] }))
  return server
}
