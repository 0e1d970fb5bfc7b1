import type { JsonObject } from '@junctor/jsonrpc'
import type {
  CallToolResult,
  CompleteRequest,
  GetPromptResult,
  LoggingLevel,
  Progress,
  ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'

/** A nats-server, and the cluster of gateways on it. */
export interface BusAddress {
  readonly kind: 'nats'
  readonly server: string
  readonly cluster: string
}

/**
 * How a client reaches the gateway: URLs that it uses in turn, the URL of a connection, a bus, or a program that it
 * starts.
 */
export type GatewayAddress =
  | { readonly kind: 'http' | 'sse'; readonly urls: readonly string[] }
  | { readonly kind: 'websocket'; readonly url: string }
  | BusAddress
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }

/** The requests that servers send to clients. */
export type Question = 'elicitation/create' | 'sampling/createMessage' | 'roots/list'

/** An item of a list, with the members that tests check. */
export interface Listed {
  readonly name: string
  readonly uri?: string
  readonly uriTemplate?: string
}

interface CallOptions {
  readonly onprogress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

/** A client of an official SDK of any version, with an open session of revision 2025-11-25. */
export interface OfficialClient {
  readonly instructions: string | undefined
  /** The errors that the SDK reported about received messages, in order. */
  readonly complaints: readonly string[]
  tools(): Promise<readonly Listed[]>
  prompts(): Promise<readonly Listed[]>
  resources(): Promise<readonly Listed[]>
  resourceTemplates(): Promise<readonly Listed[]>
  callTool(name: string, input?: JsonObject, options?: CallOptions): Promise<CallToolResult>
  readResource(uri: string): Promise<ReadResourceResult>
  subscribe(uri: string): Promise<unknown>
  unsubscribe(uri: string): Promise<unknown>
  getPrompt(name: string, input?: Readonly<Record<string, string>>): Promise<GetPromptResult>
  /** The proposed values. */
  complete(params: CompleteRequest['params']): Promise<readonly string[]>
  setLevel(level: LoggingLevel): Promise<unknown>
  ping(): Promise<unknown>
  rootsChanged(): Promise<void>
  /** Sets how a question is answered from now on. */
  answer(question: Question, how: (params: JsonObject) => JsonObject): void
  /** Resolves with the params of the first matching notification, past or future. */
  received(method: string, fits?: (params: JsonObject) => boolean): Promise<JsonObject>
  /** Ends the session, and the program if there is one. */
  close(): Promise<void>
}

/** All client capabilities, so that servers offer everything that they have. */
export const clientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: { listChanged: true },
} as const

/** Uses the next URL for each request, regardless of the URL that the SDK requests: all of them are one endpoint. */
export function fetchInTurn(urls: readonly string[]): (url: string | URL, init?: RequestInit) => Promise<Response> {
  let requests = 0
  return (url, init) => {
    const at = new URL(url)
    at.host = new URL(urls[requests++ % urls.length] as string).host
    return fetch(at, init)
  }
}

/**
 * Gives an SDK one message at a time. Both SDKs handle a response immediately but notifications a microtask later, so
 * they lose progress that came in the same chunk of a pipe as its response (typescript-sdk, issue 2580).
 */
export function oneAtATime(transport: Receiver): void {
  const { onmessage } = transport
  let delivered = Promise.resolve()
  const deliver: Receiver['onmessage'] = (message, extra) => {
    delivered = delivered.then(() => onmessage?.(message, extra))
  }
  Object.assign(transport, { onmessage: deliver })
}

interface Receiver {
  readonly onmessage?: ((message: never, extra?: never) => void) | undefined
}
