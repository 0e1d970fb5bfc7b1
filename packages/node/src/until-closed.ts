import { JunctorError } from '@junctor/protocol'

/** What a node stands on, which is closed once. */
export interface UntilClosed {
  /** Rejects with `CLOSED` when closing has begun. */
  open<Opened>(open: () => Promise<Opened>): Promise<Opened>
  /** Idempotent. Rejects when something failed to close, which keeps nothing else from closing. */
  close(): Promise<void>
}

/**
 * @param kind what it is, in the message for whoever comes too late
 * @param parts what is closed, in reverse order
 */
export function untilClosed(kind: 'node' | 'worker', parts: AsyncDisposableStack): UntilClosed {
  let closed: Promise<void> | undefined
  return {
    async open(open) {
      if (closed !== undefined) {
        throw new JunctorError('CLOSED', `expected a ${kind} that is open, got one that was closed`)
      }
      return open()
    },
    close: () => (closed ??= parts.disposeAsync()),
  }
}
