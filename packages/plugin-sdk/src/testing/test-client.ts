import type { Backend, Link, ListKind, ServerInfo } from '@junctor/contracts'
import type { CallContext } from '@junctor/exchange'
import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import { methods, type LogLevel } from '@junctor/protocol'
import type { ResourceContents } from '../content.ts'
import type { PromptMessage } from '../create-prompt.ts'
import type { ToolResponse } from '../tool-response.ts'
import type { CallOptions } from './call-options.ts'
import { asSent } from './as-sent.ts'
import { requestsOn } from './requests-on.ts'

/** A notification outside any request: a list has changed, a resource was updated. */
export interface ReceivedNotification {
  readonly method: string
  readonly params: JsonObject
}

/** A list item, as the backend lists it. */
export type Named = JsonObject & { readonly name: string }

/** A reference to the prompt or template that has the argument, in `completion/complete`. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

/** A client of a backend, in memory. An error that the backend answers is thrown as a `RequestError`. */
export interface TestClient {
  readonly server: ServerInfo
  /** The notifications that arrived outside requests, oldest first. */
  readonly notifications: readonly ReceivedNotification[]
  /** All tools. */
  listTools(): Promise<readonly Named[]>
  /** All resources. */
  listResources(): Promise<readonly (Named & { readonly uri: string })[]>
  /** All templates of resources. */
  listResourceTemplates(): Promise<readonly (Named & { readonly uriTemplate: string })[]>
  /** All prompts. */
  listPrompts(): Promise<readonly Named[]>
  /** The unchanged result, `isError` included. The pieces of a stream are collected in its content. */
  callTool(name: string, input?: object, options?: CallOptions): Promise<ToolResponse>
  /** Sends `resources/read`; gives the contents. */
  readResource(uri: string, options?: CallOptions): Promise<readonly ResourceContents[]>
  /** Sends `resources/subscribe`. */
  subscribe(uri: string): Promise<void>
  /** Sends `resources/unsubscribe`. */
  unsubscribe(uri: string): Promise<void>
  /** Sends `prompts/get`. */
  getPrompt(
    name: string,
    input?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<{ readonly description?: string; readonly messages: readonly PromptMessage[] }>
  /** The proposed values for the argument. */
  complete(
    ref: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    chosen?: Readonly<Record<string, string>>,
  ): Promise<readonly string[]>
  /** Sends `logging/setLevel`. */
  setLogLevel(level: LogLevel): Promise<void>
  /** Calls a method outside MCP. The pieces of a stream are collected: `{ chunks, result }`. */
  callMethod(name: string, params?: JsonObject | readonly JsonValue[], options?: CallOptions): Promise<JsonValue>
  /** Any other request. */
  request(method: string, params?: JsonObject, options?: CallOptions): Promise<JsonObject>
  /** Closes the link and the backend. */
  close(): Promise<void>
}

/** Creates a client on an open link. */
export function createTestClient(
  backend: Backend,
  link: Link,
  context: CallContext,
  notifications: readonly ReceivedNotification[],
): TestClient {
  const send = requestsOn(link, context)

  async function request(method: string, params?: JsonObject, options?: CallOptions): Promise<JsonObject> {
    return (await send(method, params, options)) as JsonObject
  }

  async function list<Item extends Named>(kind: ListKind): Promise<readonly Item[]> {
    return (await link.list(kind, new AbortController().signal)).map((item) => asSent(item) as Item)
  }

  return {
    server: link.server,
    notifications,
    listTools: () => list('tools'),
    listResources: () => list('resources'),
    listResourceTemplates: () => list('resourceTemplates'),
    listPrompts: () => list('prompts'),
    callTool: (name, input = {}, options) =>
      request(methods.toolsCall, { name, arguments: input as JsonObject }, options),
    async readResource(uri, options) {
      const { contents } = await request(methods.resourcesRead, { uri }, options)
      return contents as unknown as readonly ResourceContents[]
    },
    async subscribe(uri) {
      await request(methods.resourcesSubscribe, { uri })
    },
    async unsubscribe(uri) {
      await request(methods.resourcesUnsubscribe, { uri })
    },
    async getPrompt(name, input = {}, options) {
      const result: unknown = await request(methods.promptsGet, { name, arguments: input }, options)
      return result as { description?: string; messages: readonly PromptMessage[] }
    },
    async complete(ref, argument, chosen) {
      const params = { ref, argument, ...(chosen && { context: { arguments: chosen } }) }
      const { completion } = await request(methods.completionComplete, params)
      return (completion as { readonly values: readonly string[] }).values
    },
    async setLogLevel(level) {
      await request(methods.loggingSetLevel, { level })
    },
    callMethod: send,
    request,
    async close() {
      await link.close()
      await backend.close()
    },
  }
}
