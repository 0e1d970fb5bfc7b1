import {
  type CallToolResult,
  type GetPromptResult,
  inputRequired,
  type InputRequests,
  type InputRequiredResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { askingPrompt, askingPromptMessages } from '../fixture-backend/asking-prompt.ts'
import type { KeyedAsk } from '../fixture-backend/keyed-asks.ts'
import { completeArgument, getPrompt, prompts } from '../fixture-backend/prompts.ts'
import { readResource, resources, resourceTemplates } from '../fixture-backend/resources.ts'
import { askingTools } from '../fixture-backend/tools/asking-tools.ts'
import { contentTools } from '../fixture-backend/tools/content-tools.ts'
import type { Call, FixtureTool } from '../fixture-backend/tools/fixture-tool.ts'
import { inputTools } from '../fixture-backend/tools/input-tools.ts'
import { schemaTool } from '../fixture-backend/tools/schema-tool.ts'
import { notifyingTools } from '../fixture-backend/tools/notifying-tools.ts'
import { inRounds } from './in-rounds.ts'
import { addSkills, skillFiles, skillsExtension } from './skills.ts'

const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/**
 * The fixture backend as a server of 2026-07-28, with the official SDK: the same tools, prompts and resources. One for each
 * request, or for a connection.
 */
export function createStatelessFixture(): McpServer {
  const mcp = new McpServer(
    { name: 'stateless-fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
        extensions: { [skillsExtension]: {} },
      },
    },
  )
  const { server } = mcp
  const listed = toolsFor(() => Promise.reject(new Error('a list asks nothing')), {})
  server.setRequestHandler('tools/list', () => ({
    tools: [...listed.values()].map(({ definition }) => definition) as never,
  }))
  server.setRequestHandler('tools/call', ({ params }, context) =>
    answered<CallToolResult>(context, (ask) => {
      const tool = toolsFor(ask, declaredBy(context)).get(params.name)
      if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
      return tool.run(params.arguments ?? {}, callOf(context, ask))
    }),
  )
  server.setRequestHandler('resources/list', () => ({ resources: [...resources] }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...resourceTemplates] }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const text = skillFiles[uri]
    return text === undefined
      ? readResource(uri)
      : { contents: [{ uri, mimeType: 'text/markdown', text }], ttlMs: 0, cacheScope: 'public' as const }
  })
  addSkills(mcp)
  server.setRequestHandler('prompts/list', () => ({ prompts: [...prompts, askingPrompt] }))
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    answered<GetPromptResult>(context, async (ask) =>
      params.name === askingPrompt.name
        ? await askingPromptMessages(ask, 0)
        : getPrompt(params.name, params.arguments ?? {}),
    ),
  )
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
    const values = ref.type === 'ref/prompt' ? completeArgument(ref.name, argument.name, argument.value) : []
    return { completion: { values: [...values], total: values.length, hasMore: false } }
  })
  return mcp
}

function toolsFor(ask: KeyedAsk, declared: Readonly<Record<string, unknown>>): ReadonlyMap<string, FixtureTool> {
  const all = [...contentTools, ...notifyingTools, ...askingTools, schemaTool, ...inputTools(ask, () => declared)]
  return new Map(all.map((tool) => [tool.definition.name, tool]))
}

/** Runs code that asks, and answers with its result or with its questions. The state has the answers of earlier rounds. */
async function answered<Result>(
  { mcpReq }: ServerContext,
  run: (ask: KeyedAsk) => Result | Promise<Result>,
): Promise<Result | InputRequiredResult> {
  const state = mcpReq.requestState<string>()
  const before = state === undefined ? {} : (JSON.parse(state) as Record<string, unknown>)
  const known = { ...before, ...mcpReq.inputResponses }
  const round = await inRounds(run, known)
  if (round.kind === 'done') return round.result
  const inputRequests = round.questions as unknown as InputRequests
  return inputRequired({ inputRequests, requestState: JSON.stringify(known) })
}

function declaredBy({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
  return (envelope?.[capabilitiesKey] ?? {}) as Readonly<Record<string, unknown>>
}

/** What the tools need of a call: its progress token, its notifications, and its questions. */
function callOf({ mcpReq }: ServerContext, ask: KeyedAsk): Call {
  const call = {
    requestId: mcpReq.id,
    _meta: mcpReq._meta,
    signal: mcpReq.signal,
    sendNotification: (notification: { method: string; params?: { level?: string; data?: unknown } }) => {
      const { method, params } = notification
      // From 2026-07-28 on a request gets only the messages whose level it asks for.
      return method === 'notifications/message'
        ? mcpReq.log((params?.level ?? 'info') as 'info', params?.data)
        : mcpReq.notify(notification)
    },
    async sendRequest({ method, params }: { method: string; params: object }) {
      const answer = await ask(0, method, method, params)
      if ('error' in answer) throw new Error(answer.error.message)
      return answer.result
    },
  }
  return call as unknown as Call
}
