import type { ClientDescription, Exchange } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import type { LogLevel } from '@junctor/protocol'
import type { Schema, SchemaOutput } from './schema/schema.ts'

/** How a person answered a form: with content that matches its schema, with no, or not at all. */
export type Elicited<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

/** A folder or file that the client lets servers work in. */
export interface Root {
  /** A `file://` URI. */
  readonly uri: string
  readonly name?: string
}

/** What a client's model said (`CreateMessageResult`). */
export interface Sampled {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject | readonly JsonObject[]
  readonly model: string
  readonly stopReason?: string
}

/** What a handler is given beside its arguments: the way back to the client while the request is open. */
export interface RequestContext {
  /** Aborts when the request is cancelled or its time is up. The reason is an `EndReason`. */
  readonly signal: AbortSignal
  /** The program at the other end: what it calls itself and what it is capable of. */
  readonly client: ClientDescription
  /** JSON-RPC 3.0 options of the request; `undefined` in 2.0. */
  readonly options: JsonObject | undefined
  /** The request as the gateway sees it, for what is not offered here. */
  readonly exchange: Exchange
  /** How far the work is. `done` must rise; without a total nobody knows how much is left. */
  progress(done: number, total?: number, message?: string): void
  /** A log message for the client, if it wants messages of that level. Never secrets. */
  log(level: LogLevel, data: unknown): void
  /**
   * Asks the person behind the client to fill in a form. The schema is an object of plain text, numbers, yes or no, and
   * choices. An answer that does not match it is an error, not an answer.
   *
   * @throws ClientRefusal when the client offers no forms or does not answer
   */
  elicit<S extends Schema>(message: string, schema: S): Promise<Elicited<SchemaOutput<S>>>
  /**
   * Asks the client's model. `params` are those of `sampling/createMessage`: at least `messages` and `maxTokens`.
   *
   * @throws ClientRefusal when the client offers no model or does not answer
   */
  sample(params: JsonObject): Promise<Sampled>
  /**
   * The folders that the client lets servers work in.
   *
   * @throws ClientRefusal when the client has no such thing or does not answer
   */
  roots(): Promise<readonly Root[]>
}
