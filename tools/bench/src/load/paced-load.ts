import { echoCalls, type Encode } from './calls.ts'
import type { Lane } from './lane.ts'
import { Samples } from './samples.ts'
import { percentile } from '../statistics.ts'

/** The result of a paced load. */
export interface PacedResult {
  /** Milliseconds from the moment when a request was due to its answer. */
  readonly p99: number
  readonly errors: readonly string[]
}

/** How often each lane sends a request, in milliseconds. */
const everyMs = 10

/** How long a lane may wait for an answer, in milliseconds. */
const timeoutMs = 10_000

/**
 * Sends requests at a fixed rate, far below what the server can answer: what is measured is how long they wait for others.
 * A request that is late because of the one before counts from when it was due.
 */
export async function runPacedLoad(lanes: readonly Lane[], encode: Encode, durationMs: number): Promise<PacedResult> {
  const samples = new Samples()
  const errors: string[] = []
  const count = Math.ceil(durationMs / everyMs)
  const calls = echoCalls('lean__echo', count * lanes.length, encode)
  await Promise.all(
    lanes.map(async (lane, index) => {
      const begin = performance.now() + (index * everyMs) / lanes.length
      for (let at = 0; at < count; at += 1) {
        const due = begin + at * everyMs
        await until(due)
        const number = index * count + at
        const problem = await answerTo(lane, calls.request(number), (body) => calls.problem(number, body))
        samples.add(performance.now() - due)
        if (problem !== undefined) errors.push(problem)
      }
    }),
  )
  return { p99: percentile(samples.sorted(), 0.99), errors }
}

async function until(due: number): Promise<void> {
  const ms = due - performance.now()
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
}

/** Resolves with what is wrong with the answer. */
function answerTo(
  lane: Lane,
  request: Uint8Array,
  judge: (body: string) => string | undefined,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(`no answer within ${timeoutMs} ms`), timeoutMs)
    const done = (problem: string | undefined): void => {
      clearTimeout(timer)
      resolve(problem)
    }
    lane.listener = { answered: ({ body }) => done(judge(body)), failed: done }
    lane.send(request)
  })
}
