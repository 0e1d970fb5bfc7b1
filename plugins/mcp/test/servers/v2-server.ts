import { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

const answer = (text: unknown) => ({ content: [{ type: 'text' as const, text: String(text) }] })

/** A server made with version 2 of the official SDK, with all tools that `describeBackend` uses except `mirror`. */
export function createV2Server(): McpServer {
  const server = new McpServer({ name: 'v2', version: '2.3.4' }, { capabilities: { logging: {} } })
  const text = z.object({ text: z.string() })

  server.registerTool('echo', { inputSchema: text }, async (args) => answer(args.text))
  server.registerTool('steps', {}, async ({ mcpReq }) => {
    const { _meta: meta } = mcpReq
    const progressToken = meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [1, 2, 3]) {
      // One after the other.
      // oxlint-disable-next-line no-await-in-loop
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: progressToken ?? '', progress },
      })
    }
    return answer('done')
  })
  server.registerTool('wait', {}, async ({ mcpReq }) => {
    await new Promise((resolve) => {
      mcpReq.signal.addEventListener('abort', resolve)
    })
    return answer('cancelled')
  })
  server.registerTool('ask', { inputSchema: text }, async (args, { mcpReq }) => {
    const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } }
    const { content } = await mcpReq.elicitInput({ mode: 'form', message: args.text, requestedSchema })
    return answer(content?.['name'])
  })
  server.registerTool('log', { inputSchema: text }, async (args, { mcpReq }) => {
    await mcpReq.log('info', args.text)
    return answer('logged')
  })
  return server
}
