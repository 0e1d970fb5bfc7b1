import { setTimeout as after } from 'node:timers/promises'
import { isFinalState } from '../storm/ledger/final-states.ts'
import type { AttemptOutcome } from '../storm/ledger/outcome.ts'
import type { FuzzCall, FuzzQuestion, FuzzState } from './fuzz-ledger.ts'
import type { FuzzRequests } from './fuzz-requests.ts'
import type { FuzzSessions } from './fuzz-sessions.ts'
import { isGone, type OpenSession } from './open-session.ts'

const pollMs = 200
/** How many tasks and jobs of a client are read concurrently at the end, and how long each, in milliseconds. */
const readersAtOnce = 4
const jobMs = 40_000
/** How long a task or job is read after the deadline, in milliseconds: only reading shows whether it is over. */
const lateMs = 4_000

/**
 * Reads the tasks and jobs of all sessions, at the nodes in turn, until they are over or the deadline passes; each at
 * least once.
 */
export async function readFuzzJobs(
  sessions: FuzzSessions,
  requests: FuzzRequests,
  nodes: number,
  deadline: number,
): Promise<void> {
  const made = sessions.all.flatMap(({ calls }) => calls.filter(({ job }) => job !== undefined))
  const next = made.values()

  // Concurrent, so that a stuck one does not block the others.
  await Promise.all(
    Array.from({ length: readersAtOnce }, async () => {
      const reader = createReader(sessions, requests, nodes)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const each of next) await reader(each, readUntil(deadline))
    }),
  )
}

/** Reads one task or job after the other in the same session; when that is lost with its node, uses another one. */
function createReader(
  sessions: FuzzSessions,
  requests: FuzzRequests,
  nodes: number,
): (call: FuzzCall, until: number) => Promise<void> {
  let at: OpenSession | undefined
  let node = 0
  return async (call, until) => {
    for (; call.end === undefined && performance.now() < until; node = (node + 1) % nodes) {
      // oxlint-disable no-await-in-loop -- one question after the other
      if (isGone(at?.session)) at = await sessions.open(node)
      if (at === undefined) call.unread = `node ${node} opened no session`
      else await readJob(at, call, { requests, node, other: (node + 1) % nodes })
      if (call.end === undefined) await after(pollMs)
      // oxlint-enable no-await-in-loop
    }
  }
}

interface ReadAt {
  readonly requests: FuzzRequests
  readonly node: number
  /** The node that is asked for the result. */
  readonly other: number
}

async function readJob(at: OpenSession, call: FuzzCall, { requests, node, other }: ReadAt): Promise<void> {
  const status = await requests.ask(at, call, 'status', node)
  const state = stateOf(status)
  call.unread = `status at node ${node}: ${status.request}, ${JSON.stringify(status.answer)}`
  if (state === undefined || !isFinalState(state.state)) return
  const { answer, request } = await requests.ask(at, call, 'result', other)
  call.unread = `result at node ${other}: ${request}`
  if (answer !== undefined) call.end = { ...state, outcome: outcomeIn(answer) }
}

/** The deadline for reading the next task or job. On a busy machine there are more of them than time. */
function readUntil(deadline: number): number {
  const now = performance.now()
  return Math.max(now + lateMs, Math.min(deadline, now + jobMs))
}

function stateOf({ answer }: FuzzQuestion): FuzzState | undefined {
  return answer !== undefined && 'state' in answer ? answer : undefined
}

function outcomeIn(answer: NonNullable<FuzzQuestion['answer']>): AttemptOutcome | undefined {
  return 'outcome' in answer ? answer.outcome : undefined
}
