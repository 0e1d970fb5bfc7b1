import type { JsonObject, JsonValue } from '@junctor/jsonrpc'

/** A received message, with the stream that it came on. */
export interface Received {
  readonly message: JsonObject
  /** `stdio`, `get`, or `post` and the number of the POST. */
  readonly stream: string
  /** The SSE event id, if there is one. */
  readonly eventId?: string
}

/** Bytes to and from a gateway, without a protocol, so that tests can violate the rules. */
export interface Wire {
  /** Everything received, in order. */
  readonly received: readonly Received[]
  /** Sends a message or a batch unchanged. */
  send(message: JsonValue): Promise<void>
  /** Resolves with the first matching message, past or future. */
  until(fits: (received: Received) => boolean): Promise<Received>
  close(): Promise<void>
}

/** A wire that can also wait for questions, and open the stream for unsolicited messages. */
export interface OpenWire extends Wire {
  onMessage(see: (message: JsonObject) => void): void
  listen?(): Promise<void>
}
