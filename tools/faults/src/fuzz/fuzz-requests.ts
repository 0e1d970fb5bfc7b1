import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { outcomeOf } from '../storm/clients/http-3-client.ts'
import type { FuzzCall, FuzzQuestion, FuzzState } from './fuzz-ledger.ts'
import type { ClientAction, FuzzClientKind } from './fuzz-plan.ts'
import { resumedSteps } from './judge-answer.ts'
import type { OpenSession } from './open-session.ts'

/** How long an aborted call takes: its client disconnects before or after that. */
const abortedMs = 200

/** How long each step of a call takes whose stream is resumed. */
const stepMs = 40

type CallAction = Extract<ClientAction, { readonly ms: number }>

const questions = {
  task: { status: 'tasks/get', result: 'tasks/result', end: 'tasks/cancel' },
  job: { status: 'job.status', result: 'job.result', end: 'job.cancel' },
} as const

/** Sends the requests of a client in its sessions, and records them. */
export class FuzzRequests {
  readonly #client: number
  readonly #kind: FuzzClientKind
  #sent = 0

  constructor(client: number, kind: FuzzClientKind) {
    this.#client = client
    this.#kind = kind
  }

  /** Resolves when the request is over. */
  async call(at: OpenSession, action: CallAction): Promise<void> {
    const { node } = action
    const isAborted = action.kind === 'abort'
    const made = this.#callOf(action, at.session.calls.length + 1)
    at.session.calls.push(made)
    const { id, kind } = made
    // A question that waits for a reader would reach its deadline.
    if (made.replyAt !== undefined && kind === 'queue') at.ensure()
    const params = { ...toolOf(made), ...(kind === 'task' && { task: { ttl: 3_600_000 } }) }
    const options = kind === 'job' ? optionsOf(made) : {}
    const { status, failure } = await at.send(
      node,
      { id, method: 'tools/call', params, ...options },
      {
        isQueued: action.kind === 'queue',
        ...(isAborted && { abortAfterMs: action.ms }),
        ...(action.kind === 'resume' && { resume: { afterMs: action.ms, resumeAt: action.resumeAt } }),
      },
    )
    // The client has left before its stream began.
    if (action.kind === 'resume' && status === undefined) made.isLeft = true
    Object.assign(made, { ended: performance.now(), status, failure })
    // It was accepted before the client disconnected.
    if (isAborted && status === 202) made.isLeft = false
  }

  /** Cancels the last unanswered call. */
  async cancel(at: OpenSession, node: number): Promise<void> {
    const made = at.session.calls.findLast(({ answers, isLeft }) => answers.length === 0 && !isLeft)
    if (made === undefined) return
    made.isLeft = true
    await at.send(node, { method: 'notifications/cancelled', params: { requestId: made.id } })
  }

  /** Sends the request of the last job again, which may still be under way, or may have had no answer. */
  async repeat(at: OpenSession, node: number): Promise<void> {
    const made = at.session.calls.findLast(({ kind }) => kind === 'job')
    if (made === undefined) return
    const began = performance.now()
    const message = { id: `ask-${this.#next()}`, method: 'tools/call', params: toolOf(made), ...optionsOf(made) }
    let received: JsonObject | undefined
    const { status, failure } = await at.send(node, message, { onMessage: (each) => void (received ??= each) })
    const ack = received?.['ack'] as { jobId?: string } | undefined
    const job = ack?.jobId
    const request = failure ?? `status ${status}, ${JSON.stringify(received)}`
    made.repeats?.push({ node, began, ended: performance.now(), job, request })
    if (job !== undefined) made.job ??= job
  }

  /** Asks about the last job or task. */
  async askOfLast(at: OpenSession, about: FuzzQuestion['about'], node: number): Promise<void> {
    const made = at.session.calls.findLast(({ job }) => job !== undefined)
    if (made === undefined) return
    if (about === 'end') made.isLeft = true
    made.questions.push(await this.ask(at, made, about, node))
  }

  /** Asks about a job or task, in any session. */
  async ask(at: OpenSession, made: FuzzCall, about: FuzzQuestion['about'], node: number): Promise<FuzzQuestion> {
    const began = performance.now()
    const [method, name] = made.kind === 'job' ? [questions.job[about], 'jobId'] : [questions.task[about], 'taskId']
    const message = { id: `ask-${this.#next()}`, method, params: { [name]: made.job ?? '' } }
    let answer: FuzzQuestion['answer']
    const { status: posted, failure } = await at.send(node, message, {
      onMessage(response) {
        const state = about === 'result' ? undefined : stateIn(response)
        if (response['method'] === undefined) answer = state ?? { outcome: outcomeOf(response) }
      },
    })
    return { about, node, began, ended: performance.now(), answer, request: failure ?? `status ${posted}` }
  }

  #callOf(action: CallAction, number: number): FuzzCall {
    const { kind, ms, node } = action
    const isAborted = kind === 'abort'
    return {
      name: `${this.#client}-${this.#next()}`,
      id: String(number),
      kind: callKindOf(kind, this.#kind),
      ms: isAborted ? abortedMs : ms,
      node,
      ...('replyAt' in action && { replyAt: action.replyAt }),
      ...(kind === 'resume' && { steps: [] }),
      began: performance.now(),
      answers: [],
      isLeft: isAborted,
      restarts: [],
      repeats: [],
      questions: [],
    }
  }

  #next(): number {
    this.#sent += 1
    return this.#sent
  }
}

/** How a call is answered: of a client that leaves or resumes it, as this kind of client asks for it. */
function callKindOf(kind: CallAction['kind'], client: FuzzClientKind): FuzzCall['kind'] {
  if (kind !== 'resume' && kind !== 'abort') return kind
  return kind === 'abort' && client === 'saas' ? 'queue' : 'inline'
}

function toolOf({ id, name, ms, replyAt, steps }: FuzzCall): JsonObject {
  if (steps !== undefined) {
    return { name: 'progress', arguments: { steps: resumedSteps, delayMs: stepMs }, _meta: { progressToken: id } }
  }
  return replyAt === undefined ? { name: 'slow', arguments: { ms } } : { name: 'summarize', arguments: { text: name } }
}

/** The keys of clients are the same: they are counted. */
function optionsOf({ name }: FuzzCall): JsonObject {
  return { options: { async: true, idempotencyKey: name.slice(name.indexOf('-') + 1) } }
}

function stateIn(response: JsonObject): FuzzState | undefined {
  const { status, updatedAt, lastUpdatedAt } = isJsonObject(response['result']) ? response['result'] : {}
  if (typeof status !== 'string') return undefined
  const at = updatedAt ?? lastUpdatedAt
  return { state: status, updated: Date.parse(typeof at === 'string' ? at : '') - performance.timeOrigin }
}
