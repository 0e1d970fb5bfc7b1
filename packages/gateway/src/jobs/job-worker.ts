import type { Fabric, Lease, Queue } from '@junctor/contracts'
import { pause } from '../shared/pause.ts'
import type { JobParts } from './job-parts.ts'
import { outcomeOf } from './job-record.ts'
import type { JobOutcome, JobRecord } from './job-record.ts'
import { JobRun } from './job-run.ts'
import type { StoredJob } from './job-store.ts'
import type { RefusedJobs } from './refused-jobs.ts'
import { failure } from './job-verdict.ts'
import { viewOf } from './job-view.ts'
import type { OwnJob } from './open-jobs.ts'

/** Runs the jobs of all nodes, as many at once as this one may. */
export interface JobWorker {
  push(key: string): Promise<void>
  /** The run of a job that this node has the lease of. */
  run(key: string): JobRun | undefined
  readonly runs: Iterable<JobRun>
  readonly isRunning: boolean
  /** Whether nothing is run, and nothing was found in the queue for a while. */
  readonly isAtRest: boolean
  /** Takes no more. Resolves when what it runs is over. */
  drain(): Promise<void>
  /** Gives back what it runs, for other nodes to take. */
  close(): Promise<void>
}

/** A queue that has had nothing for this long is taken to be empty, in milliseconds. */
const restMs = 250

/** How long a node waits that could not take a job, in milliseconds. */
const againMs = 1_000

/**
 * @param own a job that came to this node, which need not read it
 * @param ended the job is over
 * @param refused those that must not be run
 */
export function createJobWorker(
  fabric: Fabric,
  parts: JobParts,
  own: (key: string) => OwnJob | undefined,
  ended: (key: string, record: JobRecord) => void,
  refused: Pick<RefusedJobs, 'includes'>,
): JobWorker {
  const { limits, clock, log, store } = parts
  const queue: Queue<string> = fabric.queue<string>('jobs', limits.jobLeaseMs)
  const runs = new Map<string, JobRun>()
  const closing = new AbortController()
  /** Resolves when one more may run. */
  let room: PromiseWithResolvers<void> | undefined
  let beats: NodeJS.Timeout | undefined
  /** Epoch milliseconds when it was last busy. */
  let busyAt = 0

  const left = (run: JobRun): void => {
    if (runs.get(run.key) === run) runs.delete(run.key)
    busyAt = clock.now()
    room?.resolve()
    room = undefined
    // Else somebody else has it, or will.
    if (run.isOver) ended(run.key, run.record)
    if (runs.size > 0) return
    clearInterval(beats)
    beats = undefined
  }

  const beat = (): void => {
    for (const run of runs.values()) void run.beat()
  }

  /** Also what is past its time: its client is told so. */
  const read = async (key: string): Promise<StoredJob | undefined> => {
    const found = await store.find(key)
    return found.kind === 'job' ? found.job : undefined
  }

  const take = async (lease: Lease<string>): Promise<void> => {
    const key = lease.value
    const start = { kind: 'start', fence: lease.fence, node: fabric.node, now: clock.now() } as const
    const known = own(key)
    const job = known?.stored ?? (await read(key))
    if (job !== undefined && (await refused.includes(key, job.record))) {
      await lease.done()
      return
    }
    let started = await store.change(key, start, job)
    if (started.kind === 'stale' && (await lease.extend())) {
      // The lease counts, so the numbers of leases have begun anew: the stream that they are from was lost.
      const fence = started.job.record.fence + 1
      started = await store.change(key, { ...start, fence }, started.job)
    }
    if (started.kind === 'unknown' || started.kind === 'stale' || started.kind === 'same') {
      await lease.done()
      return
    }
    const record = { ...started.job.record, home: await parts.homeOf(started.job.record) }
    // It was here before, and its lease is over.
    runs.get(key)?.exchange.end('lease_lost')
    const run = new JobRun(parts, lease, { ...started.job, record }, known?.submission, closing.signal)
    runs.set(key, run)
    beats ??= setInterval(beat, limits.jobLeaseMs / 3).unref()
    void run.done.then(() => left(run))
    if (started.kind === 'moved') run.start()
    else if (started.kind === 'too_late') run.exchange.end('deadline')
    else
      run.exchange.settle(
        outcomeOf(
          started.kind === 'final' ? outcomeIn(record) : failure('outcome_unknown', viewOf(parts, record)).outcome,
        ),
      )
  }

  const work = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      if (runs.size >= limits.jobsRunning) {
        room = Promise.withResolvers<void>()
        await room.promise
      }
      let lease: Lease<string> | undefined
      try {
        lease = await queue.take(closing.signal)
        if (lease === undefined) return
        busyAt = clock.now()
        await take(lease)
      } catch (error) {
        log.error('a job could not be taken', { error })
        lease?.release().catch(() => {})
        await pause(againMs)
      }
    }
  }

  const working = work()

  const stop = (): void => {
    closing.abort()
    room?.resolve()
  }

  return {
    push: (key) => queue.push(key, key),
    run: (key) => runs.get(key),
    get isRunning() {
      return runs.size > 0
    },
    get isAtRest() {
      return runs.size === 0 && clock.now() - busyAt >= restMs
    },
    runs: { [Symbol.iterator]: () => runs.values() },
    async drain() {
      stop()
      await working
      await Promise.all([...runs.values()].map((run) => run.done))
    },
    async close() {
      stop()
      const open = [...runs.values()]
      for (const run of open) run.leave()
      await Promise.all(open.map((run) => run.done))
      await working
    },
  }
}

function outcomeIn({ outcome }: JobRecord): JobOutcome {
  return outcome ?? { error: { code: -32_603, message: 'Internal error' } }
}
