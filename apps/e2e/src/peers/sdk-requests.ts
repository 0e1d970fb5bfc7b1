import type {
  CallToolResult,
  CompleteRequest,
  GetPromptResult,
  LoggingLevel,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { Listed, OfficialClient } from './official-client.ts'

/** The part of the client of an official SDK that is the same in all its versions. */
interface SdkClient {
  getInstructions(): string | undefined
  listTools(): Promise<{ readonly tools: readonly Listed[] }>
  listPrompts(): Promise<{ readonly prompts: readonly Listed[] }>
  listResources(): Promise<{ readonly resources: readonly Listed[] }>
  listResourceTemplates(): Promise<{ readonly resourceTemplates: readonly Listed[] }>
  readResource(params: { uri: string }): Promise<ReadResourceResult>
  subscribeResource(params: { uri: string }): Promise<unknown>
  unsubscribeResource(params: { uri: string }): Promise<unknown>
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<GetPromptResult>
  complete(params: CompleteRequest['params']): Promise<{ readonly completion: { readonly values: readonly string[] } }>
  setLoggingLevel(level: LoggingLevel): Promise<unknown>
  ping(): Promise<unknown>
  sendRootsListChanged(): Promise<void>
  close(): Promise<void>
}

/** What a test needs of an official client, besides its conversation. */
type SdkRequests = Omit<OfficialClient, 'answer' | 'received' | 'complaints'>

/** The parameters of a call, and its options as the tests give them. */
type Call = (params: { name: string; arguments: Record<string, unknown> }, options: object) => Promise<unknown>

/**
 * The requests of a client of any version.
 *
 * @param call calls a tool: its parameters differ between the versions
 * @param end ends the session
 */
export function sdkRequests(client: SdkClient, call: Call, end: () => Promise<void>): SdkRequests {
  return {
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    prompts: async () => (await client.listPrompts()).prompts,
    resources: async () => (await client.listResources()).resources,
    resourceTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    callTool: async (name, input = {}, options = {}) =>
      (await call({ name, arguments: input }, options)) as CallToolResult,
    readResource: (uri) => client.readResource({ uri }),
    subscribe: (uri) => client.subscribeResource({ uri }),
    unsubscribe: (uri) => client.unsubscribeResource({ uri }),
    getPrompt: (name, input = {}) => client.getPrompt({ name, arguments: { ...input } }),
    complete: async (params) => (await client.complete(params)).completion.values,
    setLevel: (level) => client.setLoggingLevel(level),
    ping: () => client.ping(),
    rootsChanged: () => client.sendRootsListChanged(),
    async close() {
      await end()
      await client.close()
    },
  }
}
