import { JunctorError } from '@junctor/protocol'

/** The parts of a node, which are closed once. */
export interface CloseOnce {
  /** Rejects with `CLOSED` after `close` was called. */
  open<Opened>(open: () => Promise<Opened>): Promise<Opened>
  /** Idempotent. Rejects when a part failed to close, which does not prevent closing the others. */
  close(): Promise<void>
}

/**
 * @param kind the name of the whole, for the error after it was closed
 * @param parts the parts to close, in reverse order
 */
export function closeOnce(kind: 'node' | 'worker', parts: AsyncDisposableStack): CloseOnce {
  let closed: Promise<void> | undefined
  return {
    async open(open) {
      if (closed !== undefined) {
        throw new JunctorError('CLOSED', `expected a ${kind} that is open, got one that was closed`)
      }
      return open()
    },
    close: () => (closed ??= closeAll(parts)),
  }
}

/** What ends takes its time with timers that keep no process: without one that does, the process would end before. */
async function closeAll(parts: AsyncDisposableStack): Promise<void> {
  const alive = setInterval(() => undefined, 60_000)
  try {
    await parts.disposeAsync()
  } finally {
    clearInterval(alive)
  }
}
