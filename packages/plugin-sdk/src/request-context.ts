import type { ClientDescription, Exchange } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import type { LogLevel } from '@junctor/protocol'
import type { Schema, SchemaOutput } from './schema/schema.ts'

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

/** The second argument of a handler: it reaches the client while the request is open. */
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
  progress(done: number, total?: number, message?: string): void
  /** Sends a log message to the client, if the client wants messages of that level. Never send secrets. */
  log(level: LogLevel, data: unknown): void
  /**
   * Asks the person at the client to fill in a form. The schema is an object whose members are text, numbers, booleans
   * or choices, without nesting. An answer that does not match it is an error.
   *
   * @throws ClientRefusal when the client has no forms or does not answer
   * @throws Error when the answer does not match the schema
   */
  elicit<S extends Schema>(message: string, schema: S): Promise<Elicited<SchemaOutput<S>>>
  /**
   * Asks the client's model. `params` are those of `sampling/createMessage`: at least `messages` and `maxTokens`.
   *
   * @throws ClientRefusal when the client has no model or does not answer
   */
  sample(params: JsonObject): Promise<Sampled>
  /**
   * Asks for the folders that the client allows servers to use.
   *
   * @throws ClientRefusal when the client does not have the capability or does not answer
   */
  roots(): Promise<readonly Root[]>
}
