import type {
  Answer,
  Exchange,
  ExchangeEvent,
  Frame,
  LastEvent,
  OpenExchange,
  OrdinaryEvent,
  Outlet,
  Renderer,
  View,
} from '@junctor/exchange'
import type { Lease } from '@junctor/contracts'
import type { Place } from '@junctor/primitives'
import { createExchange, createRenderer, GatheredChunks } from '@junctor/exchange'
import { wireErrorFrom } from '@junctor/protocol'
import { wantsProgress } from '../shared/request-view.ts'
import { pause } from '../shared/pause.ts'
import type { Timed } from '../shared/timetable.ts'
import type { JobAgain } from './job-again.ts'
import { jobAgain } from './job-again.ts'
import { isBeginningTold, jobEnded, jobStarted } from './job-facts.ts'
import type { Delivered } from './delivered.ts'
import { JobProgressWriter } from './job-progress-writer.ts'
import { JobReader } from './job-reader.ts'
import type { JobKind, JobProgress, JobRecord } from './job-record.ts'
import { contextOf, isFinal, isKept, isPast, keyOf, lastOf, ofJob, requestOf } from './job-record.ts'
import type { Changed } from './job-store.ts'
import type { JobChange } from './job-transition.ts'
import { jobVerdict } from './job-verdict.ts'
import { viewOf } from './job-view.ts'
import type { RunParts } from './run-parts.ts'
import type { StoredJob } from './stored-records.ts'
import type { Submission } from './submission.ts'

/** How long is waited before what could not be stored is tried again, in milliseconds. */
const againMs = 1_000

/**
 * A job at the node that holds its lease: the outlet of its exchange. Before anybody sees anything of it, the record
 * says so; before its answer goes out, the record has it.
 */
export class JobRun implements Outlet, Timed {
  readonly key: string
  readonly view: View
  readonly exchange: OpenExchange
  /** Resolves when this node has nothing more to do with it. */
  readonly done: Promise<void>
  place: Place<Timed> | undefined = undefined
  /** The job is over, as far as this node can say. */
  isOver = false
  readonly #parts: RunParts
  readonly #lease: Lease<string>
  /** Of its writes: that of the lease, or a higher one where numbers began anew. */
  readonly #fence: number
  readonly #renderer: Renderer
  readonly #leave: () => void
  readonly #progress = new JobProgressWriter((progress) => this.#tellProgress(progress))
  #job: StoredJob
  readonly #closing: AbortSignal
  #isLeaving = false
  #extendedAt: number
  #reader: JobReader | undefined = undefined
  #gathered: GatheredChunks | undefined = undefined
  /** What is to be shown once the record says that something is. */
  #held: OrdinaryEvent[] | undefined
  #gate: Promise<void> | undefined = undefined
  #writes: Promise<unknown> | undefined = undefined
  /** Open questions, each with what takes it back where it was asked. */
  readonly #asks = new Map<string, AbortController>()

  /**
   * @param submission the job as it came, when it came to this node
   * @param closing aborts when this node takes no more jobs
   */
  constructor(
    parts: RunParts,
    lease: Lease<string>,
    job: StoredJob,
    submission: Submission | undefined,
    closing: AbortSignal,
  ) {
    const { record } = job
    const { host, clock } = parts
    const request = submission?.request ?? requestOf(record.request)
    const context = submission === undefined ? contextOf(record) : ofJob(submission.context, record)
    const now = clock.now()
    const longest = record.kind === 'queued' ? parts.longestCallMs() : parts.limits.jobMs
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#parts = parts
    this.#closing = closing
    this.#lease = lease
    this.#fence = Math.max(lease.fence, record.fence)
    this.#job = job
    this.#extendedAt = now
    this.#held = record.emitted ? undefined : []
    this.#leave = resolve
    this.done = promise
    this.key = keyOf(record)
    this.view = viewOf(parts.profileOf, record, request, context)
    this.#renderer = createRenderer(this.view)
    this.exchange = createExchange(
      {
        id: host.nextId(),
        request,
        context,
        deadline: Math.min(now + longest, record.createdAt + record.ttlMs),
        attempt: record.attempt,
        wantsProgress: wantsProgress(this.view),
      },
      host,
    )
    this.exchange.attach(this)
  }

  /** As it was last written. */
  get record(): JobRecord {
    return this.#job.record
  }

  get kind(): JobKind {
    return this.#job.record.kind
  }

  /** Set when the job is a task of MCP. */
  get taskId(): string | undefined {
    const { kind, id } = this.#job.record
    return kind === 'task' ? id : undefined
  }

  get deadline(): number {
    return this.exchange.deadline
  }

  expire(): void {
    this.exchange.end('deadline')
  }

  /** Has the request handled, once the record says that it is. */
  start(): void {
    const { clock, log, tell, handlerOf } = this.#parts
    const { record } = this.#job
    const { exchange } = this
    if (isBeginningTold(record)) tell(jobStarted(record))
    const crashed = (error: unknown): void => {
      log.error('a handler failed', { method: record.request.method, error })
      exchange.settle({ kind: 'error', error: wireErrorFrom(error, this.view) })
    }
    try {
      const outcome = handlerOf(record)(exchange.request, exchange)
      if (!(outcome instanceof Promise)) return exchange.settle(outcome)
      clock.timetable.add(this)
      outcome.then((settled) => exchange.settle(settled), crashed)
    } catch (error) {
      crashed(error)
    }
  }

  /** The node goes away: somebody else may run it. */
  leave(): void {
    this.#isLeaving = true
    this.exchange.end('shutdown')
  }

  /** Keeps the lease. Who could not do so in time must take it that somebody else has the job. */
  async beat(): Promise<void> {
    const { clock, limits } = this.#parts
    const asked = clock.now()
    const held = await this.#lease.extend().catch(() => asked - this.#extendedAt < limits.jobLeaseMs)
    if (held) this.#extendedAt = asked
    else this.exchange.end('lease_lost')
  }

  /** Shows what happens from now on, and the questions that are open, to one more who waits for it. */
  attach(outer: Exchange): void {
    this.#reader = new JobReader(this, outer)
    this.exchange.attach(this)
  }

  left(reader: JobReader): void {
    if (this.#reader === reader) this.#reader = undefined
  }

  /** Aborts when a question is answered or taken back. */
  answered(askId: string): AbortSignal {
    let controller = this.#asks.get(askId)
    if (controller === undefined) this.#asks.set(askId, (controller = new AbortController()))
    return controller.signal
  }

  answer(askId: string, answer: Answer): void {
    this.#settled(askId)
    this.exchange.answer(askId, answer)
  }

  write(event: ExchangeEvent): Promise<void> | undefined {
    if (event.kind === 'outcome' || event.kind === 'end') {
      void this.#finish(event)
      return undefined
    }
    if (this.#held === undefined) return this.#show(event)
    this.#held.push(event)
    this.#gate ??= this.#open()
    return this.#gate
  }

  async #open(): Promise<void> {
    try {
      await this.#change({ kind: 'emit', fence: this.#fence, now: this.#parts.clock.now() })
    } catch (error) {
      return this.#failed(error)
    }
    const held = this.#held ?? []
    this.#held = undefined
    for (const event of held) void this.#show(event)
  }

  #show(event: OrdinaryEvent): Promise<void> | undefined {
    const isQueued = this.kind === 'queued'
    if (event.kind === 'chunk' && !(isQueued && this.view.stream)) {
      this.#gathered ??= new GatheredChunks(this.view.method, this.#parts.limits.jobCharacters)
      this.#gathered.add(event.data)
    }
    if (event.kind === 'ask' && !isQueued) this.#asked(event.id)
    if (event.kind === 'withdrawn') this.#settled(event.id)
    // Of other kinds it is told where their answers are.
    if (event.kind === 'progress' && this.kind === 'async') this.#progress.take(event.progress)
    // A task's progress is its session's to see, whoever waits for the task.
    const isTold = isQueued || (this.kind === 'task' && (event.kind === 'progress' || event.kind === 'notification'))
    const slow = isTold ? this.#deliver(this.#renderer.render(event)) : undefined
    this.#reader?.show(event)
    return slow
  }

  #asked(askId: string): void {
    if (this.#asks.size === 0) this.#tellState('ask')
    this.answered(askId)
  }

  #settled(askId: string): void {
    const controller = this.#asks.get(askId)
    if (!this.#asks.delete(askId)) return
    controller?.abort()
    if (this.#asks.size === 0) this.#tellState('go_on')
  }

  #tellState(kind: 'ask' | 'go_on'): void {
    if (this.exchange.closed) return
    const change = { kind, fence: this.#fence, now: this.#parts.clock.now() }
    void this.#change(change).catch((error: unknown) => this.#failed(error))
  }

  async #tellProgress({ progress, total }: JobProgress): Promise<void> {
    if (this.exchange.closed) return
    const { clock, log } = this.#parts
    const far = { progress, ...(total !== undefined && { total }) }
    try {
      await this.#change({ kind: 'progress', fence: this.#fence, progress: far, now: clock.now() })
    } catch (error) {
      log.warn('the progress of a job could not be written', { error })
    }
  }

  /** One write after the other: each names the revision that the one before has made. */
  #change(change: JobChange): Promise<Changed> {
    const write = async (): Promise<Changed> => {
      const changed = await this.#parts.store.change(this.key, change, this.#job)
      if (changed.kind !== 'unknown') this.#job = changed.job
      if (changed.kind === 'final') this.exchange.end('cancelled')
      else if (changed.kind !== 'moved' && changed.kind !== 'same') this.exchange.end('lease_lost')
      return changed
    }
    const written = this.#writes === undefined ? write() : this.#writes.then(write, write)
    this.#writes = written
    return written
  }

  async #finish(last: LastEvent): Promise<void> {
    this.#parts.clock.timetable.remove(this)
    try {
      await this.#gate
      await this.#conclude(last)
    } catch (error) {
      this.#failed(error)
    } finally {
      this.#leave()
    }
  }

  async #conclude(last: LastEvent): Promise<void> {
    const { clock, limits, store, tell } = this.#parts
    if (last.kind === 'end' && last.reason === 'lease_lost') return
    if (last.kind === 'end' && last.reason === 'shutdown') return this.#lease.release()
    const again = jobAgain(this.#job.record, last, clock.now())
    if (again !== undefined && (await this.#putBack(again))) return
    const fence = this.#fence
    const now = clock.now()
    const verdict = jobVerdict(this.#job.record, last, this.#gathered, this.view, limits.jobCharacters, now)
    // Of what nobody can ask for, nobody reads what it came to: the session's home sees to it that there is one answer.
    const isRead = isKept(this.#job.record)
    if (isRead) {
      const { kind } = await this.#stored(() => this.#change({ kind: 'end', fence, now, ...verdict }))
      if (kind !== 'moved' && kind !== 'final') return
    }
    const stored = this.#job.record
    const record = isFinal(stored.state) ? stored : { ...stored, ...verdict, updatedAt: now }
    if (this.kind === 'queued' && !(await this.#answer(record))) return this.#lease.release()
    this.isOver = true
    const fact = jobEnded(record)
    if (fact !== undefined) tell(fact)
    // First the record: should this node end in between, whoever gets the item next finds nothing to do.
    if (!isRead) await this.#stored(() => store.bury(this.key, this.#job))
    await this.#stored(() => this.#lease.done())
  }

  /** False: it is over already. */
  async #putBack({ mayHaveRun, waitMs }: JobAgain): Promise<boolean> {
    const change = { kind: 'put_back', fence: this.#fence, mayHaveRun, now: this.#parts.clock.now() } as const
    const { kind } = await this.#stored(() => this.#change(change))
    // Others need not wait for a node that leaves.
    if (kind === 'moved') await this.#lease.release(this.#closing.aborted ? 0 : waitMs)
    return kind !== 'final'
  }

  /** What it came to is stored as soon as it can be: who has the job by then, and its fence, decides whether it counts. */
  async #stored<Result>(write: () => Promise<Result>): Promise<Result> {
    const { clock, log } = this.#parts
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (this.#isLeaving || isPast(this.record, clock.now())) throw error
        log.warn('the end of a job could not be stored, and will be tried again', { error })
        await pause(againMs)
      }
    }
  }

  /** False: nobody knows whether its session has it, so whoever gets the job next brings it once more. */
  #answer(record: JobRecord): Promise<boolean> {
    // The record has the chunks in what it came to: what was rendered before has no part in it.
    const delivered = this.#delivered(createRenderer(this.view).render(lastOf(record)))
    return delivered === undefined ? Promise.resolve(true) : this.#parts.deliveries.bring(record.home, delivered)
  }

  /** On the session's own stream. */
  #deliver(frame: Frame | undefined): Promise<void> | undefined {
    const delivered = this.#delivered(frame)
    return delivered && this.#parts.deliveries.deliver(this.#job.record.home, delivered)
  }

  #delivered(frame: Frame | undefined): Delivered | undefined {
    const { id, session, batch } = this.#job.record
    if (frame === undefined || session === undefined) return undefined
    return { session, job: id, text: frame.text, last: frame.last, batch }
  }

  async #giveBack(): Promise<void> {
    try {
      await this.#lease.release()
    } catch {
      // It ends by itself.
    }
  }

  /** The fabric does not answer: whoever gets the lease next sees how far the job is. */
  #failed(error: unknown): void {
    this.#parts.log.error('a job could not be written', { error })
    this.exchange.end('lease_lost')
    void this.#giveBack()
  }
}
