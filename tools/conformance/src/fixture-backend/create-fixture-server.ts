import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { askingPrompt, askingPromptMessages } from './asking-prompt.ts'
import { completeArgument, getPrompt, prompts } from './prompts.ts'
import { readResource, resources, resourceTemplates } from './resources.ts'
import { createKeyedAsks } from './keyed-asks.ts'
import { askingTools } from './tools/asking-tools.ts'
import { contentTools } from './tools/content-tools.ts'
import type { FixtureTool } from './tools/fixture-tool.ts'
import { inputTools } from './tools/input-tools.ts'
import { schemaTool } from './tools/schema-tool.ts'
import { notifyingTools } from './tools/notifying-tools.ts'

/**
 * An MCP server with everything that the official suites require of a server, under the names that the suites use. It
 * uses the SDK's low-level `Server`, so that lists are sent unchanged. One for each connection.
 */
export function createFixtureServer(): Server {
  const server = new Server(
    { name: 'fixture-backend', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
    },
  )
  const ask = createKeyedAsks(server)
  const all = [
    ...contentTools,
    ...notifyingTools,
    ...askingTools,
    schemaTool,
    ...inputTools(ask, () => server.getClientCapabilities() ?? {}),
  ]
  const tools: ReadonlyMap<string, FixtureTool> = new Map(all.map((tool) => [tool.definition.name, tool]))
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map(({ definition }) => definition),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, call) => {
    const tool = tools.get(params.name)
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
    return tool.run(params.arguments ?? {}, call)
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...resources] }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [...resourceTemplates] }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readResource(params.uri))
  server.setRequestHandler(SubscribeRequestSchema, () => ({}))
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [...prompts, askingPrompt] }))
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }, { requestId }) => {
    if (params.name !== askingPrompt.name) return getPrompt(params.name, params.arguments ?? {})
    return askingPromptMessages(ask, requestId)
  })
  server.setRequestHandler(CompleteRequestSchema, ({ params: { ref, argument } }) => {
    const values = ref.type === 'ref/prompt' ? completeArgument(ref.name, argument.name, argument.value) : []
    return { completion: { values: [...values], total: values.length, hasMore: false } }
  })
  return server
}
