import type { JsonObject, JsonValue } from '@junctor/jsonrpc'

/** A message as a client received it, and the stream that it came on. */
export interface Received {
  readonly message: JsonObject
  /** `stdio`, `get`, or `post` and the number of the POST. */
  readonly stream: string
  /** The SSE event id, where there is one. */
  readonly eventId?: string
}

/** Bytes to and from a gateway: no protocol, so that tests can break the rules. */
export interface Wire {
  /** Everything received, in order. */
  readonly received: readonly Received[]
  /** Sends a message, or a batch, as it is. */
  send(message: JsonValue): Promise<void>
  /** Resolves with the first received message, past or future, that fits. */
  until(fits: (received: Received) => boolean): Promise<Received>
  close(): Promise<void>
}

/** A wire that can also wait for questions, and open the stream that unsolicited messages come on. */
export interface OpenWire extends Wire {
  onMessage(see: (message: JsonObject) => void): void
  listen?(): Promise<void>
}
