import type { Closer, Control, Fabric } from '@junctor/contracts'
import type { Exchange, Handler } from '@junctor/exchange'
import { within } from '@junctor/primitives'
import type { Request, RequestId } from '@junctor/jsonrpc'
import { isJsonObject, payloadOf, requestId } from '@junctor/jsonrpc'
import type { Situation } from '@junctor/protocol'
import { JunctorError } from '@junctor/protocol'
import { emptyOutcome } from '../shared/empty-outcome.ts'
import { pause } from '../shared/pause.ts'
import { createForgottenJobs } from './forgotten-jobs.ts'
import { createIdempotencyKeys } from './idempotency.ts'
import { readJobControl, toJobControl } from './job-control.ts'
import { createJobIds } from './job-ids.ts'
import { isBeginningTold, jobSubmitted } from './job-facts.ts'
import type { JobParts } from './job-parts.ts'
import type { JobRecord } from './job-record.ts'
import { isFinal, isKept, keyOf } from './job-record.ts'
import { failure } from './job-verdict.ts'
import { viewOf } from './job-view.ts'
import type { StoredJob } from './job-store.ts'
import { createJobWorker } from './job-worker.ts'
import { createKeptJobs } from './kept-jobs.ts'
import { createLeftJobs } from './left-jobs.ts'
import { createMissedJobs } from './missed-jobs.ts'
import type { OpenJobs } from './open-jobs.ts'
import type { Submission } from './submission.ts'
import { createRefusedJobs } from './refused-jobs.ts'
import { newJobRecord } from './submission.ts'

/** The service under which a node lets others wait for the jobs that it runs. */
const jobService = '$job'

/** What became of a submission. */
export type Submitted =
  /** The fabric has it: it will reach an end, whatever becomes of this node. */
  | { readonly kind: 'stored'; readonly record: JobRecord }
  /** It is a repeat, and this is the job. */
  | { readonly kind: 'known'; readonly record: JobRecord }
  /** Nothing is stored. */
  | { readonly kind: 'refused'; readonly situation: Situation; readonly message?: string }

/** What became of a cancellation. */
type Cancelled =
  | { readonly kind: 'cancelled'; readonly record: JobRecord }
  | { readonly kind: 'final'; readonly record: JobRecord }
  | { readonly kind: 'unknown' }

/** Jobs on all nodes: stored, run by any, readable by their key from any. Methods reject when the fabric does. */
export interface JobEngine {
  /** Resolves when the fabric has the job. Never rejects. */
  submit(submission: Submission): Promise<Submitted>
  read(key: string): Promise<JobRecord | undefined>
  ofOwner(owner: string): Promise<readonly JobRecord[]>
  /**
   * The job when it is over, or past its time (`undefined`), or as it is when the exchange has ended. What it asks
   * meanwhile, and its progress, appear on the exchange.
   */
  wait(key: string, exchange: Exchange): Promise<JobRecord | undefined>
  cancel(key: string): Promise<Cancelled>
  /** The open job that answers this request of a session, if it came to this node. */
  keyOfRequest(session: string, id: RequestId): string | undefined
  /** The sessions that wait for an answer of a job that came to this node, or is run by it. */
  waitingSessions(): ReadonlySet<string>
  /** What would be answered on the stream of a session that has ended is ended here. */
  endSession(session: string): void
  /** What other nodes say. */
  control(control: Control): void
  sweep(): void
  /** Lets other nodes wait for the jobs that this one runs. */
  serve(): Promise<Closer>
  /** Takes no more submissions: there is nobody else who could do what is left. */
  refuseMore(): void
  /** Jobs that came to this node and are not over, as far as it knows. */
  readonly open: number
  /** Whether any job is run by this node. */
  readonly isRunning: boolean
  /** Whether nothing is run, and nothing was found in the queue for a while. */
  readonly isAtRest: boolean
  /** Begins no more jobs. Resolves when those that this node runs are over. */
  drain(): Promise<void>
  /** Gives back the jobs that this node runs. */
  close(): Promise<void>
}

/** A submission that takes longer is given up, in milliseconds: whoever repeats it may be given its key. */
const submitMs = 10_000

/** How long a job is tried to be taken back while its client waits, in milliseconds: it has waited for the queue already. */
const withdrawMs = 500

/** How long is waited before a job that nobody runs at the moment is looked at again, in milliseconds. */
const lookMs = 100

/** For answers of jobs that are over to reach their sessions when this node goes away, in milliseconds. */
const leaveMs = 1_000

export function createJobEngine(fabric: Fabric, parts: JobParts, open: OpenJobs): JobEngine {
  const { store, deliveries, limits, clock, log, tell } = parts
  const nextId = createJobIds()
  let refusesMore = false
  const idempotency = createIdempotencyKeys(fabric, limits.jobTtlMs, clock.now)

  const kept = createKeptJobs(limits)

  const forgotten = createForgottenJobs(store, idempotency, { isForgetful: fabric.isForgetful, now: clock.now, log })

  const ended = (key: string, record: JobRecord): void => {
    if (isKept(record)) for (const job of kept.add(record)) forgotten.add(job)
    if (record.from === fabric.node) open.delete(key)
    else void fabric.send(record.from, toJobControl({ kind: 'job-ended', key }))
  }
  const refused = createRefusedJobs(fabric, parts)
  const worker = createJobWorker(fabric, parts, (key) => open.take(key), ended, refused)
  const missed = createMissedJobs(parts, open, (key) => worker.push(key))
  const left = createLeftJobs(parts, (key) => worker.push(key))

  const cancelRun = (key: string): void => worker.run(key)?.exchange.end('cancelled')

  const unstored = (error: unknown): Submitted => {
    log.error('a job could not be stored', { error })
    return { kind: 'refused', situation: 'fabric_unavailable' }
  }

  const drop = (key: string, record: JobRecord): void => {
    open.delete(key)
    forgotten.add(record)
  }

  /** Puts it where a worker finds it. */
  const put = async (key: string, record: JobRecord): Promise<Submitted> => {
    let job: StoredJob
    try {
      job = await store.create(key, record)
    } catch (error) {
      // Should it be there nevertheless: what is in no queue is never run.
      drop(key, record)
      return unstored(error)
    }
    open.stored(key, job)
    try {
      if (clock.now() - record.createdAt >= submitMs)
        throw new JunctorError('FABRIC_UNAVAILABLE', 'storage is too slow')
      await worker.push(key)
      return { kind: 'stored', record }
    } catch (error) {
      return withdraw(key, job, error)
    }
  }

  /** Whether it is in the queue is unknown. Its client may send it again, so it must not be run. */
  const withdraw = async (key: string, job: StoredJob, error: unknown): Promise<Submitted> => {
    const { record } = job
    const { outcome } = failure('cancelled', viewOf(parts, record))
    const change = { kind: 'cancel', outcome, now: clock.now() } as const
    try {
      // Else it was in the queue, and a worker has begun with it.
      const late = pause(withdrawMs).then(() => Promise.reject(new Error('storage does not answer')))
      if (!(await Promise.race([store.withdraw(key, job, change), late]))) return { kind: 'stored', record }
      drop(key, record)
    } catch {
      open.delete(key)
      refused.add(key, record, async () => {
        if (await store.withdraw(key, job, change)) forgotten.add(record)
      })
    }
    return unstored(error)
  }

  /** The job of an earlier request with the same key; `undefined`: there is none, and this is the one from now on. */
  const earlier = async (record: JobRecord, name: string): Promise<Submitted | undefined> => {
    const claim = await idempotency.claim(record, name)
    if (claim.kind === 'claimed') return undefined
    if (claim.kind === 'conflict') return { kind: 'refused', situation: 'idempotency_conflict' }
    const known = await store.read(keyOf({ owner: record.owner, id: claim.job }))
    if (known !== undefined) return { kind: 'known', record: known.record }
    // Its request was not stored, or is on its way to be: that takes no longer than a submission may.
    if (clock.now() - claim.at < 2 * submitMs) return { kind: 'refused', situation: 'overloaded' }
    return (await idempotency.takeOver(record, name, claim)) ? undefined : { kind: 'refused', situation: 'overloaded' }
  }

  const serve: Handler = async (request, exchange) => {
    const params = request.params?.value()
    const key = isJsonObject(params) ? params['key'] : undefined
    const run = typeof key === 'string' ? worker.run(key) : undefined
    if (run !== undefined) {
      run.attach(exchange)
      await Promise.race([run.done, endOf(exchange)])
    }
    return emptyOutcome
  }

  /** Waits a while: for the end of the job's run, wherever that is. */
  const follow = async (key: string, record: JobRecord, exchange: Exchange): Promise<void> => {
    const run = worker.run(key)
    if (run !== undefined) {
      run.attach(exchange)
      await Promise.race([run.done, endOf(exchange)])
    } else if (record.node !== undefined && record.node !== fabric.node) {
      await fabric.call({ service: jobService, node: record.node }, waitRequest(key), exchange)
    }
  }

  return {
    async submit(submission) {
      const isAsked = isKept(submission)
      const longestMs = isAsked ? limits.jobTtlMs : parts.passingMs
      const record = newJobRecord(submission, nextId(isAsked), fabric.node, longestMs, clock.now())
      const { params = '', options = '' } = record.request
      if (params.length + options.length > limits.jobCharacters) {
        const message = `Expects params and options of at most ${limits.jobCharacters} characters`
        return { kind: 'refused', situation: 'too_large', message }
      }
      const refusal = refusesMore ? 'overloaded' : open.refusal(record)
      if (refusal !== undefined) return { kind: 'refused', situation: refusal }
      const key = keyOf(record)
      open.add(key, record, submission)
      const { idempotencyKey } = record
      if (idempotencyKey !== undefined) {
        const found = await earlier(record, idempotencyKey).catch(unstored)
        if (found !== undefined) {
          open.delete(key)
          return found
        }
      }
      const submitted = await put(key, record)
      if (submitted.kind === 'stored' && isBeginningTold(record)) tell(jobSubmitted(record))
      return submitted
    },
    async read(key) {
      const job = await store.read(key)
      if (job !== undefined) left.asked(key, job.record)
      return job?.record
    },
    ofOwner: (owner) => store.ofOwner(owner),
    async wait(key, exchange) {
      while (true) {
        const job = await store.read(key)
        if (job === undefined || isFinal(job.record.state) || exchange.ended !== undefined) return job?.record
        left.asked(key, job.record)
        const began = clock.now()
        await follow(key, job.record, exchange)
        // Nobody runs it now, or who did is gone without a word.
        if (clock.now() - began < lookMs) await pause(lookMs)
      }
    },
    async cancel(key) {
      const job = await store.read(key)
      if (job === undefined) return { kind: 'unknown' }
      const { outcome } = failure('cancelled', viewOf(parts, job.record))
      const changed = await store.change(key, { kind: 'cancel', outcome, now: clock.now() }, job)
      if (changed.kind === 'unknown') return changed
      const { record } = changed.job
      if (changed.kind !== 'moved') return { kind: 'final', record }
      parts.changed(record)
      if (worker.run(key) !== undefined) cancelRun(key)
      else if (record.node !== undefined) void fabric.send(record.node, toJobControl({ kind: 'job-cancel', key }))
      return { kind: 'cancelled', record }
    },
    keyOfRequest: (session, id) => open.keyOfRequest(session, id),
    waitingSessions() {
      const sessions = new Set(open.sessions())
      for (const { kind, exchange } of worker.runs) if (kind === 'queued') sessions.add(exchange.context.session ?? '')
      return sessions
    },
    endSession(session) {
      for (const run of worker.runs) {
        if (run.kind === 'queued' && run.exchange.context.session === session) run.exchange.end('session_ended')
      }
    },
    control(received) {
      const control = readJobControl(received)
      if (control === undefined) return
      if (control.kind === 'job-cancel') cancelRun(control.key)
      else open.delete(control.key)
    },
    sweep() {
      missed.sweep()
      left.sweep()
      for (const job of kept.sweep(clock.now())) forgotten.add(job)
      forgotten.sweep()
    },
    async serve() {
      const closers = await Promise.all([fabric.serve(jobService, serve), refused.serve()])
      return { close: async () => void (await Promise.all(closers.map((closer) => closer.close()))) }
    },
    refuseMore: () => void (refusesMore = true),
    get open() {
      return open.size
    },
    get isRunning() {
      return worker.isRunning
    },
    get isAtRest() {
      return open.size === 0 && worker.isAtRest
    },
    drain: () => worker.drain(),
    async close() {
      refused.close()
      const closed = worker.close()
      await within(closed, leaveMs).catch(() => {})
      deliveries.close()
      await closed
    },
  }
}

function waitRequest(key: string): Request {
  return { kind: 'request', dialect: '2.0', id: requestId(0), method: jobService, params: payloadOf({ key }) }
}

function endOf(exchange: Exchange): Promise<void> {
  return new Promise((resolve) => exchange.onEnd({ ended: () => resolve() }))
}
