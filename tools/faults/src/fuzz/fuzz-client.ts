import type { FuzzQuestion, FuzzSession } from './fuzz-ledger.ts'
import { type ClientAction, kindOf } from './fuzz-plan.ts'
import { FuzzRequests } from './fuzz-requests.ts'
import { FuzzSessions } from './fuzz-sessions.ts'
import type { OpenOptions } from './open-http-session.ts'
import { readFuzzJobs } from './read-fuzz-jobs.ts'

/** A client that performs actions, and records the results. */
export interface FuzzClient {
  /** Never rejects. */
  act(action: ClientAction): Promise<void>
  readonly sessions: readonly FuzzSession[]
  /** How many openings ended without an answer, so that the client does not know whether there is a session. */
  readonly lostOpenings: () => number
  /** Reads the streams of all sessions that still exist. */
  listenToAll(): void
  /** Asks for its tasks and jobs until they are over, or the deadline passes. */
  readJobs(deadline: number): Promise<void>
  /** Ends all its sessions. */
  close(): Promise<void>
}

type QuestionAction = Extract<ClientAction, { readonly kind: FuzzQuestion['about'] }>

/** Creates a client without a session. */
export function createFuzzClient({ client, urls, key, nats }: Omit<OpenOptions, 'kind' | 'node'>): FuzzClient {
  const kind = kindOf(client)
  const sessions = new FuzzSessions({ client, kind, urls, key, nats })
  const requests = new FuzzRequests(client, kind)
  return {
    get sessions() {
      return sessions.all
    },
    lostOpenings: () => sessions.lostOpenings,
    async act(action) {
      const { node } = action
      const at = await sessions.current(action.kind === 'delete' ? undefined : node)
      if (at === undefined) return
      if (action.kind === 'delete') {
        at.session.ended = performance.now()
        await at.end(node)
        await at.leave()
      } else if (action.kind === 'listen') at.listen(node, action.hasCursor)
      else if (action.kind === 'cancel') await requests.cancel(at, node)
      else if (action.kind === 'repeat') await requests.repeat(at, node)
      else if (isQuestion(action)) await requests.askOfLast(at, action.kind, node)
      else if ('ms' in action) await requests.call(at, action)
    },
    listenToAll: () => sessions.listenToAll(),
    readJobs: (deadline) => readFuzzJobs(sessions, requests, urls.length, deadline),
    close: () => sessions.close(),
  }
}

const questionKinds: ReadonlySet<ClientAction['kind']> = new Set(['status', 'result', 'end'])

function isQuestion(action: ClientAction): action is QuestionAction {
  return questionKinds.has(action.kind)
}
