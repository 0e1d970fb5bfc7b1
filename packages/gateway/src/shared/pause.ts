import { setTimeout as timeout } from 'node:timers/promises'

/** Waits this many milliseconds. Does not keep the process alive. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}

/** The same, but at most until the signal aborts. */
export async function pauseUnlessStopped(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await timeout(ms, undefined, { signal, ref: false })
  } catch {
    // It has aborted.
  }
}
