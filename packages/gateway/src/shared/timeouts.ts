import type { Clock } from './clock.ts'
import type { Timed } from './deadlines.ts'

/** Waits for the work, but at most this many milliseconds. Does not stop the work. */
export async function waitAtMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timed: Timed = { deadline: clock.now() + ms, expire: () => resolve() }
  clock.deadlines.add(timed)
  try {
    await Promise.race([work, promise])
  } finally {
    clock.deadlines.remove(timed)
  }
}

/** Waits this many milliseconds of the clock. */
export async function pauseFor(clock: Clock, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  clock.deadlines.add({ deadline: clock.now() + ms, expire: () => resolve() })
  await promise
}

/** Waits this many milliseconds, or until the signal aborts. */
export async function pauseUnlessAborted(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = (): void => resolve()
  signal.addEventListener('abort', stop)
  await waitAtMost(clock, ms, promise)
  signal.removeEventListener('abort', stop)
}

/** How long aborted work has to clean up before the caller stops waiting for it, in milliseconds. */
const stopMs = 2_000

/**
 * Runs work that can be aborted. Aborts it after `ms` milliseconds, or when `also` aborts. Rejects when the work
 * rejects, and when the work does not end within two seconds after the abort.
 */
export async function withTimeout<Result>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
  also?: AbortSignal,
): Promise<Result> {
  const controller = new AbortController()
  const { promise: deserted, reject } = Promise.withResolvers<never>()
  const timed = {
    deadline: clock.now() + ms,
    expire(): void {
      if (controller.signal.aborted) reject(controller.signal.reason)
      else stop(new Error(`no answer in ${ms} ms`))
    },
  }
  const stop = (reason: unknown): void => {
    controller.abort(reason)
    timed.deadline = clock.now() + stopMs
    clock.deadlines.add(timed)
  }
  const stopAlso = (): void => stop(also?.reason)
  also?.addEventListener('abort', stopAlso)
  clock.deadlines.add(timed)
  try {
    return await Promise.race([work(controller.signal), deserted])
  } finally {
    clock.deadlines.remove(timed)
    also?.removeEventListener('abort', stopAlso)
  }
}
