import type { JsonObject, JsonValue } from '@junctor/jsonrpc'

/** A client by hand: it may break every rule of the protocol, and sees each frame as it came. */
export interface Peer {
  /** `http` or `stdio`. */
  readonly transport: 'http' | 'stdio'
  /** The text of every frame received, in order: a response, a batch of them, a notification. */
  readonly frames: readonly string[]
  /**
   * Sends one frame as it is, and resolves when it is on its way: over HTTP with the status of the answer, over stdio
   * with 0. What the answer holds goes to `frames`.
   */
  send(frame: string | Uint8Array): Promise<number>
  /** Resolves with the first message, past or future, that fits. Rejects when none comes in `ms` (default half a minute). */
  until(what: string, fits: (message: JsonObject) => boolean, ms?: number): Promise<JsonObject>
  /** Sends a request, and resolves with its response. */
  request(method: string, params?: JsonObject, id?: JsonValue): Promise<JsonObject>
  notify(method: string, params?: JsonObject): Promise<number>
  /** All messages received, batches taken apart. */
  messages(): readonly JsonObject[]
  close(): Promise<void>
}
