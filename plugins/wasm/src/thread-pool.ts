import type { EndListener, Exchange } from '@junctor/plugin-sdk/link'
import type { ThreadAnswer, Work } from './thread-messages.ts'
import type { ThreadListener, WasmThread } from './wasm-thread.ts'

/** The most threads of one module, for all tenants together. */
const mostThreads = 32
/** The most calls of one tenant that wait for a thread. */
const mostWaiting = 4096
/** After how many milliseconds without work a thread is ended. */
const idleMs = 60_000

/** A call: who makes it, what is to be done, and who receives its events. */
interface PooledCall {
  readonly tenant: string
  readonly work: Work
  readonly listener: ThreadListener
  /** When it ends, the call is stopped, wherever it is. */
  readonly exchange: Pick<Exchange, 'onEnd'>
}

/** The calls that wait or run, by their exchanges: a link stops its calls when it closes. */
export type StoppableCalls = Map<object, { stop(): void }>

/** Threads that run the calls of one module: each runs one call at a time. */
export interface ThreadPool {
  /** Never rejects. */
  run(call: PooledCall): Promise<ThreadAnswer>
  /** Ends when the calls that it has are done. Runs no others. */
  drain(): void
  /** Ends now; calls that run fail. */
  close(): Promise<void>
}

/** How a pool works. */
export interface ThreadPoolOptions {
  /** The most threads that one tenant may use at the same time. */
  readonly perTenant: number
  readonly startThread: () => WasmThread
  /** Has the calls of the pool while they wait or run. */
  readonly stoppable: StoppableCalls
}

/**
 * Makes a pool. Calls that wait are taken from each tenant in turn, so that a tenant with many calls does not delay the others.
 *
 * @param first a thread that is there already
 */
export function createThreadPool(first: WasmThread, options: ThreadPoolOptions): ThreadPool {
  return new Pool(first, options)
}

class Pool implements ThreadPool {
  readonly #options: ThreadPoolOptions
  readonly #idle: WasmThread[]
  readonly #running = new Set<Job>()
  /** By tenant, in the order in which they are served. */
  readonly #waiting = new Map<string, Set<Job>>()
  readonly #tenants = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #draining = false

  constructor(first: WasmThread, options: ThreadPoolOptions) {
    this.#options = options
    this.#idle = [first]
    this.#endIdleLater()
  }

  run(call: PooledCall): Promise<ThreadAnswer> {
    const { promise, resolve } = Promise.withResolvers<ThreadAnswer>()
    const queue = this.#waiting.get(call.tenant)
    if (this.#draining) resolve({ kind: 'failed', reason: 'the module is closed' })
    else if (queue !== undefined && queue.size >= mostWaiting) {
      resolve({ kind: 'failed', reason: `${mostWaiting} calls of the tenant wait for a thread` })
    } else {
      const job = new Job(call, resolve, (stopped) => this.#stop(stopped))
      this.#options.stoppable.set(call.exchange, job)
      void promise.then(() => this.#options.stoppable.delete(call.exchange))
      if (queue === undefined) this.#waiting.set(call.tenant, new Set([job]))
      else queue.add(job)
      call.exchange.onEnd(job)
      this.#next()
    }
    return promise
  }

  drain(): void {
    this.#draining = true
    this.#endWhenDone()
  }

  async close(): Promise<void> {
    this.#draining = true
    clearTimeout(this.#timer)
    for (const queue of this.#waiting.values()) for (const job of queue) this.#stop(job)
    const running = [...this.#running].flatMap(({ thread }) => thread ?? [])
    await Promise.all([...running, ...this.#idle.splice(0)].map((thread) => thread.end('the module is closed')))
  }

  /** Starts calls that wait, while there are threads for them. */
  #next(): void {
    for (let job = this.#take(); job !== undefined; job = this.#take()) void this.#runOn(job)
  }

  /** The next call of the first tenant that may run one more. The tenant then goes to the end of the queue. */
  #take(): Job | undefined {
    if (this.#running.size >= mostThreads) return undefined
    for (const [tenant, queue] of this.#waiting) {
      if ((this.#tenants.get(tenant) ?? 0) >= this.#options.perTenant) continue
      const [job] = queue
      if (job === undefined) continue
      this.#remove(job, queue)
      if (queue.size > 0) {
        this.#waiting.delete(tenant)
        this.#waiting.set(tenant, queue)
      }
      return job
    }
    return undefined
  }

  #remove(job: Job, queue: Set<Job>): void {
    queue.delete(job)
    if (queue.size === 0) this.#waiting.delete(job.call.tenant)
  }

  async #runOn(job: Job): Promise<void> {
    const { tenant, work, listener } = job.call
    this.#running.add(job)
    this.#tenants.set(tenant, (this.#tenants.get(tenant) ?? 0) + 1)
    job.resolve(await this.#answer(job, work, listener))
    this.#running.delete(job)
    const left = (this.#tenants.get(tenant) ?? 1) - 1
    if (left > 0) this.#tenants.set(tenant, left)
    else this.#tenants.delete(tenant)
    if (job.thread !== undefined && !job.thread.ended) this.#keep(job.thread)
    this.#next()
    this.#endWhenDone()
  }

  async #answer(job: Job, work: Work, listener: ThreadListener): Promise<ThreadAnswer> {
    try {
      job.thread = this.#idleThread() ?? this.#options.startThread()
      return await job.thread.run(work, listener)
    } catch (error) {
      return { kind: 'failed', reason: String(error) }
    }
  }

  #idleThread(): WasmThread | undefined {
    let thread = this.#idle.pop()
    while (thread?.ended === true) thread = this.#idle.pop()
    return thread
  }

  #keep(thread: WasmThread): void {
    this.#idle.push(thread)
    this.#endIdleLater()
  }

  /** Ends the threads that nothing has used since the timer was set. */
  #endIdleLater(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#running.size > 0) return this.#endIdleLater()
      for (const thread of this.#idle.splice(0)) void thread.end('idle')
    }, idleMs).unref()
  }

  #stop(job: Job): void {
    const queue = this.#waiting.get(job.call.tenant)
    if (queue?.has(job) === true) {
      this.#remove(job, queue)
      job.resolve({ kind: 'failed', reason: 'the call was ended while it waited for a thread' })
    } else if (this.#running.has(job)) void job.thread?.end('the call was ended')
  }

  #endWhenDone(): void {
    if (this.#draining && this.#running.size === 0 && this.#waiting.size === 0) void this.close()
  }
}

/** One call in the pool. */
class Job implements EndListener {
  readonly call: PooledCall
  readonly resolve: (answer: ThreadAnswer) => void
  readonly #stop: (job: Job) => void
  thread: WasmThread | undefined

  constructor(call: PooledCall, resolve: (answer: ThreadAnswer) => void, stop: (job: Job) => void) {
    this.call = call
    this.resolve = resolve
    this.#stop = stop
  }

  ended(): void {
    this.stop()
  }

  stop(): void {
    this.#stop(this)
  }
}
