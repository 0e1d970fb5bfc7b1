import { setTimeout } from 'node:timers/promises'
import type { Call } from '../../upstream/calls/call.ts'

/** Waits this many milliseconds, or until the call ends. */
export async function pauseInCall({ exchange }: Call, ms: number): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal: exchange.signal, ref: false })
  } catch {
    // The call has ended.
  }
}
