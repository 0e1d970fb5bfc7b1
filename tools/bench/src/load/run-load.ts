import type { Calls } from './calls.ts'
import type { LaneAnswer, Lane, LaneListener } from './lane.ts'
import { Samples } from './samples.ts'
import { percentile } from '../statistics.ts'

/** How many requests are built for each lane; they are sent in turn, and then again with the same ids. */
export const callsPerLane = 64

/** The same for requests that are accepted first and answered on a stream: each has an id of its own in all of a load. */
export const queuedCallsPerLane = 4096

/** The result of a load. */
export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  /** Milliseconds. */
  readonly p50: number
  /** Milliseconds. */
  readonly p99: number
  /** The share of one processor that this process used: near 1, the load client was the bottleneck. */
  readonly clientLoad: number
  /** Wrong or missing answers, by their problem. */
  readonly errors: readonly string[]
}

/** How long a lane may wait for an answer, in milliseconds. */
const timeoutMs = 10_000

/**
 * Keeps every lane busy for a time: each sends its next request when it has its answer, and checks every answer.
 *
 * @param perLane how many of the calls each lane has; it sends the second half first if `isSecond`: a server may still be
 *   busy with the last request of an earlier load
 */
export async function runLoad(
  lanes: readonly Lane[],
  calls: Calls,
  durationMs: number,
  perLane: number,
  isSecond = false,
): Promise<LoadResult> {
  const samples = new Samples()
  const errors: string[] = []
  const before = process.cpuUsage()
  const start = performance.now()
  const until = start + durationMs
  const begin = isSecond ? perLane / 2 : 0
  const parts = { calls, samples, errors, until, perLane, begin }
  const done = lanes.map((lane, index) => new BusyLane({ ...parts, lane }, index).done)
  const timer = setTimeout(() => {
    for (const lane of lanes) lane.listener?.failed(`no answer within ${timeoutMs} ms`)
  }, durationMs + timeoutMs)
  await Promise.all(done)
  clearTimeout(timer)
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(before)
  const sorted = samples.sorted()
  return {
    requests: samples.count,
    seconds,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    clientLoad: (user + system) / 1e6 / seconds,
    errors,
  }
}

interface LoadParts {
  readonly lane: Lane
  readonly calls: Calls
  readonly samples: Samples
  readonly errors: string[]
  /** By `performance.now()`. */
  readonly until: number
  readonly perLane: number
  readonly begin: number
}

class BusyLane implements LaneListener {
  readonly done: Promise<void>
  readonly #parts: LoadParts
  readonly #first: number
  readonly #finish: () => void
  #turn: number
  #sentAt = 0

  constructor(parts: LoadParts, index: number) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.done = promise
    this.#finish = resolve
    this.#parts = parts
    this.#first = index * parts.perLane
    this.#turn = parts.begin
    parts.lane.listener = this
    this.#send()
  }

  answered({ body }: LaneAnswer): void {
    const now = performance.now()
    const { calls, samples, errors, until, perLane } = this.#parts
    samples.add(now - this.#sentAt)
    const problem = calls.problem(this.#first + this.#turn, body)
    if (problem !== undefined) errors.push(problem)
    this.#turn = (this.#turn + 1) % perLane
    if (now < until) this.#send()
    else this.#stop()
  }

  failed(reason: string): void {
    this.#parts.errors.push(reason)
    this.#stop()
  }

  #send(): void {
    const { lane, calls } = this.#parts
    this.#sentAt = performance.now()
    lane.send(calls.request(this.#first + this.#turn))
  }

  #stop(): void {
    this.#parts.lane.listener = undefined
    this.#finish()
  }
}
