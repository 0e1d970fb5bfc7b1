import type { Progress } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Root } from '../request-context.ts'

/** What a test hears of one request, and what it answers when the backend asks back. */
export interface CallOptions {
  /**
   * Cancels the request. The call rejects when the backend has stopped working on it, so a backend that does not stop
   * is found out.
   */
  readonly signal?: AbortSignal
  /** JSON-RPC 3.0 options of the request. */
  readonly options?: JsonObject
  readonly onProgress?: (progress: Progress) => void
  /** `params` of `notifications/message`: level, logger, data. */
  readonly onLog?: (params: JsonObject) => void
  /** A piece of a streamed answer, as it comes. */
  readonly onChunk?: (data: unknown) => void
  /** Answers a form: `{ action, content }`. Without it the client cannot be asked. */
  readonly onElicit?: (params: JsonObject) => JsonObject | Promise<JsonObject>
  /** Answers for the client's model: `{ role, content, model }`. Without it the client has no model. */
  readonly onSample?: (params: JsonObject) => JsonObject | Promise<JsonObject>
  /** Without it the client has no roots to tell of. */
  readonly onRoots?: () => readonly Root[] | Promise<readonly Root[]>
}
