import type { Clock } from './clock.ts'
import type { Timed } from './timetable.ts'

/** Waits for the work, but no longer than this many milliseconds. The work goes on. */
export async function waitAtMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const patience: Timed = { deadline: clock.now() + ms, expire: () => resolve() }
  clock.timetable.add(patience)
  try {
    await Promise.race([work, promise])
  } finally {
    clock.timetable.remove(patience)
  }
}

/** Does work that can be told to stop, and tells it after this many milliseconds, or when `also` aborts. */
export async function withTimeout<Result>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
  also?: AbortSignal,
): Promise<Result> {
  const controller = new AbortController()
  const patience: Timed = {
    deadline: clock.now() + ms,
    expire: () => controller.abort(new Error(`no answer in ${ms} ms`)),
  }
  const stop = (): void => controller.abort(also?.reason)
  also?.addEventListener('abort', stop, { once: true })
  clock.timetable.add(patience)
  try {
    return await work(controller.signal)
  } finally {
    clock.timetable.remove(patience)
    also?.removeEventListener('abort', stop)
  }
}
