import { setTimeout as after } from 'node:timers/promises'
import { isFinalState } from '../storm/ledger/final-states.ts'
import { outcomeOf } from '../storm/clients/http-3-client.ts'
import type { Outcome } from '../storm/ledger/outcome.ts'
import type { FuzzCall, FuzzQuestion, FuzzSession } from './fuzz-ledger.ts'
import { type ClientAction, kindOf } from './fuzz-plan.ts'
import { openHttpSession } from './open-http-session.ts'
import { openSocketSession } from './open-socket-session.ts'
import type { OpenSession } from './open-session.ts'

/** A client that does what it is told, and writes down what comes of it. */
export interface FuzzClient {
  /** Never rejects. */
  act(action: ClientAction): Promise<void>
  readonly sessions: readonly FuzzSession[]
  /** Openings of which the client does not know whether a session came of them. */
  readonly lostOpenings: () => number
  /** Reads the streams of all sessions that are there still. */
  listenToAll(): void
  /** Asks for its tasks and jobs until they are over, or it is too late. */
  readJobs(deadline: number): Promise<void>
  /** Ends all its sessions. */
  close(): Promise<void>
}

const pollMs = 200
const closeMs = 10_000
/** How many tasks and jobs of a client are asked for at once in the end, and how long for each, in milliseconds. */
const readersAtOnce = 4
const jobMs = 40_000
/** How long one is asked for though it is late, in milliseconds: whether it is over is not known before. */
const lateMs = 4_000
/** How long an aborted call takes: its client is gone sooner or later than that. */
const abortedMs = 200

/** Until when a task or job is asked for, whose turn it is now. On a busy machine there are more of them than time. */
function readUntil(deadline: number): number {
  const now = performance.now()
  return Math.max(now + lateMs, Math.min(deadline, now + jobMs))
}

type CallAction = Extract<ClientAction, { readonly ms: number }>
type AboutLast = Extract<ClientAction, { readonly kind: FuzzQuestion['about'] }>

/** @param urls of its tenant, at each node */
export function createFuzzClient(client: number, urls: readonly string[], key: string): FuzzClient {
  const kind = kindOf(client)
  const known: OpenSession[] = []
  let current: Promise<OpenSession | undefined> = Promise.resolve(undefined)
  let lostOpenings = 0
  let sent = 0

  const open = async (node: number): Promise<OpenSession | undefined> => {
    const options = { client, kind, node, urls, key }
    const opening = await (kind === 'socket' ? openSocketSession(options) : openHttpSession(options))
    if (opening.kind === 'unsure') lostOpenings += 1
    if (opening.kind !== 'open') return undefined
    known.push(opening.opened)
    return opening.opened
  }

  const call = async (at: OpenSession, action: CallAction): Promise<void> => {
    const { node } = action
    const isAborted = action.kind === 'abort'
    sent += 1
    const id = `${client}-${sent}`
    const made: FuzzCall = {
      id,
      kind: action.kind === 'abort' ? (kind === 'saas' ? 'queue' : 'inline') : action.kind,
      ms: isAborted ? abortedMs : action.ms,
      node,
      began: performance.now(),
      answers: [],
      isLeft: isAborted,
      questions: [],
    }
    at.session.calls.push(made)
    const params = {
      name: 'slow',
      arguments: { ms: made.ms },
      ...(made.kind === 'task' && { task: { ttl: 3_600_000 } }),
    }
    const options = made.kind === 'job' ? { options: { async: true } } : {}
    const { status, isRefused } = await at.send(
      node,
      { id, method: 'tools/call', params, ...options },
      { isQueued: action.kind === 'queue', ...(isAborted && { abortAfterMs: action.ms }) },
    )
    Object.assign(made, { ended: performance.now(), status, isRefused })
    // It was accepted before the client left.
    if (isAborted && status === 202) made.isLeft = false
  }

  const ask = async (at: OpenSession, made: FuzzCall, about: FuzzQuestion['about'], node: number) => {
    const began = performance.now()
    const message = { id: `ask-${(sent += 1)}`, method: questions[made.kind === 'job' ? 'job' : 'task'][about] }
    let answer: FuzzQuestion['answer']
    await at.send(
      node,
      { ...message, params: { [made.kind === 'job' ? 'jobId' : 'taskId']: made.job ?? '' } },
      {
        heard(said) {
          const { status } = (said['result'] ?? {}) as { status?: unknown }
          const isState = about !== 'result' && typeof status === 'string'
          if (said['method'] === undefined) answer = isState ? { state: status } : { outcome: outcomeOf(said) }
        },
      },
    )
    const question: FuzzQuestion = { about, node, began, ended: performance.now(), answer }
    return question
  }

  const askOfLast = async (at: OpenSession, about: FuzzQuestion['about'], node: number): Promise<void> => {
    const made = at.session.calls.findLast(({ job }) => job !== undefined)
    if (made === undefined) return
    if (about === 'end') made.isLeft = true
    made.questions.push(await ask(at, made, about, node))
  }

  /** A session may be lost with its node: another one does. */
  const readJob = async (made: FuzzCall, deadline: number): Promise<void> => {
    let at: OpenSession | undefined
    for (let node = 0; made.end === undefined && performance.now() < deadline; node = (node + 1) % urls.length) {
      // oxlint-disable no-await-in-loop -- one question after the other
      if (isGone(at?.session)) at = await open(node)
      const state = at === undefined ? undefined : stateOf(await ask(at, made, 'status', node))
      if (at !== undefined && isFinalState(state)) {
        const { answer } = await ask(at, made, 'result', (node + 1) % urls.length)
        if (answer !== undefined) made.end = { state: state ?? '', outcome: outcomeIn(answer) }
      } else await after(pollMs)
      // oxlint-enable no-await-in-loop
    }
  }

  return {
    get sessions() {
      return known.map(({ session }) => session)
    },
    lostOpenings: () => lostOpenings,
    async act(action) {
      const { node } = action
      // Whoever cannot open a session, or has lost it, opens the next one.
      current = current.then((opened) => (action.kind !== 'delete' && isGone(opened?.session) ? open(node) : opened))
      const at = await current
      if (at === undefined || isGone(at.session)) return
      if (action.kind === 'delete') {
        at.session.ended = performance.now()
        await at.end(node)
        await at.leave()
      } else if (action.kind === 'listen') at.listen(node, action.hasCursor)
      else if (action.kind === 'cancel') await cancel(at, node)
      else if (isQuestion(action)) await askOfLast(at, action.kind, node)
      else if ('ms' in action) await call(at, action)
    },
    listenToAll() {
      for (const at of known) if (at.session.ended === undefined) at.ensure()
    },
    async readJobs(deadline) {
      const made = known.flatMap(({ session }) => session.calls.filter(({ job }) => job !== undefined))
      const next = made.values()
      // One that is stuck must not keep the others from being read.
      await Promise.all(
        Array.from({ length: readersAtOnce }, async () => {
          // oxlint-disable-next-line no-await-in-loop -- one after the other
          for (const each of next) await readJob(each, readUntil(deadline))
        }),
      )
    },
    async close() {
      const deadline = performance.now() + closeMs
      const end = async (opened: OpenSession): Promise<void> => {
        await opened.leave()
        for (let node = 0; performance.now() < deadline; node = (node + 1) % urls.length) {
          // oxlint-disable-next-line no-await-in-loop -- one node after the other
          if (await opened.end(node)) return
        }
      }
      await Promise.all(known.map(end))
    },
  }
}

const questions = {
  task: { status: 'tasks/get', result: 'tasks/result', end: 'tasks/cancel' },
  job: { status: 'job.status', result: 'job.result', end: 'job.cancel' },
} as const

async function cancel(at: OpenSession, node: number): Promise<void> {
  const made = at.session.calls.findLast(({ answers, isLeft }) => answers.length === 0 && !isLeft)
  if (made === undefined) return
  made.isLeft = true
  await at.send(node, { method: 'notifications/cancelled', params: { requestId: made.id } })
}

function isQuestion(action: ClientAction): action is AboutLast {
  return action.kind in questions.task
}

function isGone(session: FuzzSession | undefined): boolean {
  return session === undefined || session.unknown !== undefined || session.ended !== undefined
}

function stateOf({ answer }: FuzzQuestion): string | undefined {
  return answer !== undefined && 'state' in answer ? answer.state : undefined
}

function outcomeIn(answer: NonNullable<FuzzQuestion['answer']>): Outcome | undefined {
  return 'outcome' in answer ? answer.outcome : undefined
}
