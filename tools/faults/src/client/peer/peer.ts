import type { JsonObject, JsonValue } from '@junctor/jsonrpc'

/** A hand-written client: it may break every rule of the protocol, and records each frame unchanged. */
export interface Peer {
  /** `http` or `stdio`. */
  readonly transport: 'http' | 'stdio'
  /** The text of every frame received, in order: a response, a batch of them, a notification. */
  readonly frames: readonly string[]
  /**
   * Sends one frame unchanged, and resolves when it was sent: over HTTP with the status of the answer, over stdio with
   * 0. The frames of the answer are added to `frames`.
   */
  send(frame: string | Uint8Array): Promise<number>
  /** Resolves with the first matching message, past or future. Rejects when there is none in `ms` (default 30 s). */
  until(what: string, fits: (message: JsonObject) => boolean): Promise<JsonObject>
  /** Sends a request, and resolves with its response. */
  request(method: string, params?: JsonObject, id?: JsonValue): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<number>
  /** All received messages, with batches split. */
  messages(): readonly JsonObject[]
  close(): Promise<void>
}
