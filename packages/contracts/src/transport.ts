import type { Message } from '@junctor/jsonrpc'

/** What a transport does with what it reads. */
export interface Receiver {
  message(message: Message): void
}

/** A socket-like peer: a child's pipes, a WebSocket, a subject pair. Fronts and backs of such transports are built on it. */
export interface Transport {
  /** A promise means: wait for it before the next (back-pressure). It never rejects; a lost peer shows in `closed`. */
  send(message: Message): Promise<void> | undefined
  close(reason?: Error): Promise<void>
  /** Resolves when nothing can be sent or received any more: with the error, unless it was asked to close. */
  readonly closed: Promise<Error | undefined>
}
