import type { AckMessage, ChunkMessage, Response } from './message.ts'

/** The end of a request whose connection was closed before its response came. */
export interface Closed {
  readonly kind: 'closed'
  readonly error: Error
}

/**
 * Waits for one response. An object instead of a promise or closure: callers that keep state for a call pass that. Its
 * methods may be called before `call` has returned, and must not throw.
 */
export interface ResponseListener {
  /** Called exactly once, unless the request is forgotten; nothing is called after it. */
  settled(end: Response | Closed): void
  /** The request was received and will be answered later; may be called often (JSON-RPC 3.0 sections 5.3 and 6.5). */
  acknowledged?(ack: AckMessage): void
  /** A piece of the result, in order (3.0 section 6.1). A promise means: read no more from the connection before it. */
  chunk?(chunk: ChunkMessage): Promise<void> | undefined
}
