import type { ClientDescription, Exchange } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import type { LogLevel } from '@junctor/protocol'
import type { Schema, SchemaOutput } from './schema/schema.ts'
import type { ToolResponse } from './tool-response.ts'

/** A person's answer to a form: content that matches the schema, a refusal, or no decision. */
export type Elicited<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

/** A folder or file that the client allows servers to use. */
export interface Root {
  /** A `file://` URI. */
  readonly uri: string
  readonly name?: string
}

/** The answer of a client's model (`CreateMessageResult`). */
export interface Sampled {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject | readonly JsonObject[]
  readonly model: string
  readonly stopReason?: string
}

/** How another tool is called. */
export interface CallToolOptions {
  /** The most time for the call, in milliseconds. Default: the time that the request itself has left. */
  readonly timeoutMs?: number
  /** Cancels the call. It is also cancelled when the request ends. */
  readonly signal?: AbortSignal
  /** Whether the tool's progress is shown to the client as that of this request. Default: false. */
  readonly progress?: boolean
}

/**
 * The second argument of a handler: it reaches the client while the request is open. Its functions may be used without it:
 * `({ city }, { progress, elicit }) => …`.
 */
export interface RequestContext {
  /** Aborts when the request is cancelled or its deadline passes. The reason is an `EndReason`. */
  readonly signal: AbortSignal
  /** The client program: its name, its version and its capabilities. */
  readonly client: ClientDescription
  /** JSON-RPC 3.0 options of the request; `undefined` in 2.0. */
  readonly options: JsonObject | undefined
  /** The request's exchange, for features that this interface does not offer. */
  readonly exchange: Exchange
  /** Reports progress. `done` must increase with each call; without `total` the client cannot compute what remains. */
  readonly progress: (done: number, total?: number, message?: string) => void
  /** Sends a log message to the client, if the client wants messages of that level. Never send secrets. */
  readonly log: (level: LogLevel, data: unknown) => void
  /**
   * Asks the person at the client to fill in a form. The schema is an object whose members are text, numbers, booleans
   * or choices, without nesting. An answer that does not match it is an error.
   *
   * @throws ClientRefusal when the client has no forms or does not answer
   * @throws Error when the schema has objects in it, or the answer does not match the schema
   */
  readonly elicit: <S extends Schema>(message: string, schema: S) => Promise<Elicited<SchemaOutput<S>>>
  /**
   * Asks the client's model. `params` are those of `sampling/createMessage`: at least `messages` and `maxTokens`.
   *
   * @throws ClientRefusal when the client has no model or does not answer
   */
  readonly sample: (params: JsonObject) => Promise<Sampled>
  /**
   * Asks for the folders that the client allows servers to use.
   *
   * @throws ClientRefusal when the client does not have the capability or does not answer
   */
  readonly roots: () => Promise<readonly Root[]>
  /**
   * Calls another tool of the gateway for the caller of this request: with the caller's rights, its trace, and within its
   * deadline. Questions of the tool reach the same client. The pieces of a streamed result are collected in its content.
   *
   * @param name `backend:tool`: the backend's name in the configuration and the tool's own name. Without a colon: the
   *   name that the caller sees, or the name of a backend with one tool.
   * @throws ToolCallFailed when there is no result. A tool that failed gives a result with `isError`.
   */
  readonly callTool: (name: string, input?: object, options?: CallToolOptions) => Promise<ToolResponse>
  /**
   * The `fetch` of the platform, for which `http://<tool>.spin.internal/` is the tool of that name, called as by
   * {@link callTool}: POST with the arguments as JSON, and the answer is the result as JSON.
   */
  readonly fetch: typeof fetch
}
