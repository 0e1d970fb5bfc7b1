import type { LastEvent, Outcome } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { JobRecord } from './job-record.ts'
import { isPast } from './job-record.ts'

/** A job that goes back to the queue. */
export interface JobAgain {
  /** The attempt may have run: whether the next one may is judged where the tool is known. */
  readonly mayHaveRun: boolean
  /** How long it waits there, in milliseconds. */
  readonly waitMs: number
}

/** How often a job is started at most that may have run each time. */
export const attempts = 5

/** How often in a row an attempt is made again that did not run: with the waits it is half a minute. */
const fruitless = 8

/** How long is waited after the first such attempt, and at most, in milliseconds. */
const firstWaitMs = 250
const longestWaitMs = 8_000

/** Reasons for which nothing ran: nobody was there, or had room, or what nodes share did not answer. */
export const notRun: ReadonlySet<unknown> = new Set(['backend_unavailable', 'fabric_unavailable', 'overloaded'])

/**
 * Whether a job goes back to the queue after an attempt, because its node was lost that another one can stand in for, or
 * because nothing ran; `undefined`: that is its end. Of what somebody has seen something there is no other attempt.
 */
export function jobAgain(record: JobRecord, last: LastEvent, now: number): JobAgain | undefined {
  if (record.emitted || last.kind !== 'outcome') return undefined
  if (isNodeLost(last.outcome)) return record.attempt < attempts ? { mayHaveRun: true, waitMs: firstWaitMs } : undefined
  const { reason, retryable, retryAfterMs } = errorData(last.outcome)
  const tries = record.tries ?? 0
  if (!notRun.has(reason) || retryable !== true || tries >= fruitless) return undefined
  const asked = typeof retryAfterMs === 'number' ? retryAfterMs : 0
  const waitMs = Math.max(Math.min(firstWaitMs * 2 ** tries, longestWaitMs), asked)
  return isPast(record, now + waitMs) ? undefined : { mayHaveRun: false, waitMs }
}

/** Whether it was a node that was lost with the call, not its backend: whether the call took effect is unknown. */
export function isNodeLost(outcome: Outcome): boolean {
  const { reason, backend, lostNode } = errorData(outcome)
  return reason === 'backend_exited' && (backend === undefined || lostNode === true)
}

function errorData(outcome: Outcome): JsonObject {
  const data = outcome.kind === 'error' ? outcome.error.data?.value() : undefined
  return isJsonObject(data) ? data : {}
}
