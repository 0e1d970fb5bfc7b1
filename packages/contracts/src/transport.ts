import type { Message } from '@junctor/jsonrpc'

/** Receives the messages that a transport reads. */
export interface Receiver {
  /** Receives one message. */
  message(message: Message): void
}

/**
 * A socket-like peer: the pipes of a child process, a WebSocket, a pair of subjects. Client and backend sides of such
 * transports are built on it.
 */
export interface Transport {
  /**
   * Sends a message. If it returns a promise, wait for it before the next message (backpressure). The promise never
   * rejects; `closed` reports a lost peer.
   */
  send(message: Message): Promise<void> | undefined
  /** Closes the connection. `reason` is the error that the other side's requests in flight end with. */
  close(reason?: Error): Promise<void>
  /** Resolves when nothing can be sent or received any more. The value is the error, unless `close` was called. */
  readonly closed: Promise<Error | undefined>
}
