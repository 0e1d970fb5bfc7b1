import type { Loss } from '@junctor/exchange'
import { methods } from '@junctor/protocol'
import type { BreakerState } from '../links/breaker.ts'

/** A call whose link or connection was lost. */
export interface LostCall {
  readonly loss: Loss
  /** The method that its backend got. */
  readonly method: string
  /** Whether the tool that it calls may run twice. */
  readonly isRepeatable: boolean
  /** Whether something of it has reached the client. */
  readonly isSeen: boolean
  /** Whether it is the second attempt. */
  readonly isAgain: boolean
  /** Whether its caller does not want it any more: cancelled, past its deadline, without a session. */
  readonly isUnwanted: boolean
  /** Whether it is a job, which the queue runs again when its node is lost or nothing ran. */
  readonly job: 'none' | 'node_lost' | 'backend_lost'
  readonly breaker: BreakerState['kind']
  /** How long its caller still waits, in milliseconds. */
  readonly remainingMs: number
}

/** What becomes of a lost call. */
export type CallRetry =
  /** Its error is its outcome. */
  | { readonly kind: 'final' }
  /** It is sent once more after this pause, in milliseconds. */
  | { readonly kind: 'again'; readonly waitMs: number }

/** The longest pause before a call is sent again, in milliseconds: a server that restarts accepts connections soon. */
const longestWaitMs = 200

/** The methods of MCP that only read, whatever the backend. */
const readingMethods: ReadonlySet<string> = new Set([
  methods.resourcesRead,
  methods.promptsGet,
  methods.completionComplete,
  methods.tasksGet,
])

const final: CallRetry = { kind: 'final' }

/**
 * Whether a lost call is sent once more: only while its caller waits and has seen nothing of it, and only if it has not
 * run or may run twice.
 *
 * @param random a number in [0, 1): reduces the pause by up to half, so that the calls of a lost link come spread
 */
export function callRetry(lost: LostCall, random: number): CallRetry {
  const { loss, method, isRepeatable, isSeen, isAgain, isUnwanted, job, breaker, remainingMs } = lost
  if (isSeen || isAgain || isUnwanted || breaker !== 'closed') return final
  if (job === 'node_lost' || (job === 'backend_lost' && loss === 'unsent')) return final
  const mayRunTwice = readingMethods.has(method) || (method === methods.toolsCall && isRepeatable)
  if (loss === 'cut' && !mayRunTwice) return final
  const waitMs = Math.ceil(longestWaitMs * (1 - random / 2))
  return remainingMs > waitMs ? { kind: 'again', waitMs } : final
}
