import { Worker } from 'node:worker_threads'

/** The durations of calls, in milliseconds. */
export interface CallTimes {
  readonly calls: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** A client that calls continuously, in its own thread, which work in this thread does not slow down. */
export interface SteadyCalls {
  /** The durations of the calls during `act`. */
  during(act: () => Promise<unknown>): Promise<CallTimes>
  close(): Promise<void>
}

/** Opens a session and begins to call. */
export async function startSteadyCalls(url: string): Promise<SteadyCalls> {
  const worker = new Worker(new URL('steady-caller.ts', import.meta.url), { workerData: url })
  const asked: ((times: readonly number[]) => void)[] = []
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  worker.on('error', (error) => failed.reject(error))
  worker.on('message', (times: readonly number[]) => asked.shift()?.(times))
  /** The durations since the last take. */
  const take = (): Promise<readonly number[]> => {
    const taken = new Promise<readonly number[]>((resolve) => asked.push(resolve))
    // A thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage('take')
    return Promise.race([taken, failed.promise])
  }
  await take()
  return {
    async during(act) {
      await take()
      await act()
      const times = (await take()).toSorted((a, b) => a - b)
      const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
      return { calls: times.length, p50: at(0.5), p99: at(0.99), max: at(1) }
    },
    async close() {
      await worker.terminate()
    },
  }
}
