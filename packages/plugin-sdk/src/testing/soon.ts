import { setTimeout as delay } from 'node:timers/promises'

/** How long a backend may take for one probe, in milliseconds. */
const probeMs = 5000

/** The value; or the error that was thrown; or an error when the promise takes longer than `ms`. */
export async function soon<Value>(promise: Promise<Value>, ms: number = probeMs): Promise<Value | Error> {
  const timer = new AbortController()
  const late = delay(ms, new Error(`nothing within ${ms} ms`), { signal: timer.signal })
  try {
    return await Promise.race([promise, late])
  } catch (error) {
    return error instanceof Error ? error : new Error(`a thrown value that is not an error: ${String(error)}`)
  } finally {
    timer.abort()
    late.catch(() => undefined)
  }
}
