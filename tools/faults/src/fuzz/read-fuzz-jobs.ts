import { setTimeout as after } from 'node:timers/promises'
import { isFinalState } from '../storm/ledger/final-states.ts'
import type { Outcome } from '../storm/ledger/outcome.ts'
import type { FuzzCall, FuzzQuestion } from './fuzz-ledger.ts'
import type { FuzzRequests } from './fuzz-requests.ts'
import { type FuzzSessions, isGone } from './fuzz-sessions.ts'
import type { OpenSession } from './open-session.ts'

const pollMs = 200
/** How many tasks and jobs of a client are asked for at once in the end, and how long for each, in milliseconds. */
const readersAtOnce = 4
const jobMs = 40_000
/** How long one is asked for though it is late, in milliseconds: whether it is over is not known before. */
const lateMs = 4_000

/** Asks for the tasks and jobs of all sessions, at the nodes in turn, until they are over, or it is too late; for each once at least. */
export async function readFuzzJobs(
  sessions: FuzzSessions,
  requests: FuzzRequests,
  nodes: number,
  deadline: number,
): Promise<void> {
  const made = sessions.all.flatMap(({ calls }) => calls.filter(({ job }) => job !== undefined))
  const next = made.values()

  /** A session may be lost with its node: another one does. */
  const read = async (call: FuzzCall, until: number): Promise<void> => {
    let at: OpenSession | undefined
    for (let node = 0; call.end === undefined && performance.now() < until; node = (node + 1) % nodes) {
      // oxlint-disable no-await-in-loop -- one question after the other
      if (isGone(at?.session)) at = await sessions.open(node)
      const state = at === undefined ? undefined : stateOf(await requests.ask(at, call, 'status', node))
      if (at !== undefined && isFinalState(state)) {
        const { answer } = await requests.ask(at, call, 'result', (node + 1) % nodes)
        if (answer !== undefined) call.end = { state: state ?? '', outcome: outcomeIn(answer) }
      } else await after(pollMs)
      // oxlint-enable no-await-in-loop
    }
  }

  // One that is stuck must not keep the others from being read.
  await Promise.all(
    Array.from({ length: readersAtOnce }, async () => {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (const each of next) await read(each, readUntil(deadline))
    }),
  )
}

/** Until when a task or job is asked for, whose turn it is now. On a busy machine there are more of them than time. */
function readUntil(deadline: number): number {
  const now = performance.now()
  return Math.max(now + lateMs, Math.min(deadline, now + jobMs))
}

function stateOf({ answer }: FuzzQuestion): string | undefined {
  return answer !== undefined && 'state' in answer ? answer.state : undefined
}

function outcomeIn(answer: NonNullable<FuzzQuestion['answer']>): Outcome | undefined {
  return 'outcome' in answer ? answer.outcome : undefined
}
