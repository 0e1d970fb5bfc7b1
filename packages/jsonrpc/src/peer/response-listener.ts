import type { AckMessage, ChunkMessage, Response } from '../message/message.ts'

/** The end of a request whose connection was closed before its response arrived. */
export interface Closed {
  readonly kind: 'closed'
  readonly error: Error
}

/**
 * Waits for one response. It is an object instead of a promise or closure, so that callers can pass an object with the
 * state of a call. Its methods may be called before `call` has returned, and must not throw.
 */
export interface ResponseListener {
  /** Called exactly once, unless the request is forgotten. No method is called afterwards. */
  settled(end: Response | Closed): void
  /**
   * Called when the request was received and will be answered later; may be called repeatedly (JSON-RPC 3.0 sections
   * 5.3 and 6.5).
   */
  acknowledged?(ack: AckMessage): void
  /**
   * Called with a piece of the result, in order (3.0 section 6.1). If it returns a promise, read no more from the
   * connection until it settles.
   */
  chunk?(chunk: ChunkMessage): Promise<void> | undefined
}
