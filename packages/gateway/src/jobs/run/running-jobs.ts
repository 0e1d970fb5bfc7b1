import { Pending, type RequestId } from '@junctor/jsonrpc'
import { removeOldest } from '@junctor/primitives'
import type { JobRun } from './job-run.ts'

/** The jobs that this node runs. Keeps extending their leases. */
export interface RunningJobs extends Iterable<JobRun> {
  readonly size: number
  /** How many of them do work: the others are repeats, which only wait for a job. */
  readonly working: number
  get(key: string): JobRun | undefined
  /** Adds a run. If this node ran the job before, that earlier lease has expired. */
  add(run: JobRun): void
  /** Removes a run that has ended on this node. */
  remove(run: JobRun): void
  /** Cancels a job. Returns false when this node does not run it; if it is about to, the run ends before it begins. */
  cancel(key: string): boolean
  /** Ends the jobs whose answers would go to the stream of a session that has ended. */
  endSession(session: string): void
  /** The key of the job that answers a request of a session on its stream. */
  keyOfRequest(session: string, id: RequestId): string | undefined
  /** The sessions that wait for answers of these jobs on their streams. */
  sessions(): readonly string[]
}

/** How many cancels of jobs that do not run here are remembered. */
const mostEarly = 1_000

/** @param leaseMs the duration of a lease, in milliseconds; each lease is extended three times within it */
export function createRunningJobs(leaseMs: number): RunningJobs {
  const runs = new Pending<JobRun, string>()
  /** Cancelled jobs, the oldest first: this node may be about to run one of them, after its start is stored. */
  const early = new Set<string>()
  const repeats = new Set<JobRun>()
  let beats: NodeJS.Timeout | undefined

  const cancelEarly = (key: string): void => {
    early.add(key)
    removeOldest(early, mostEarly)
  }

  const beat = (): void => {
    for (const run of runs.values()) void run.beat()
  }

  const queued = (): readonly JobRun[] => runs.values().filter(({ kind }) => kind === 'queued')

  return {
    get size() {
      return runs.size
    },
    get working() {
      return runs.size - repeats.size
    },
    [Symbol.iterator]: () => runs.values().values(),
    get: (key) => runs.get(key),
    add(run) {
      const earlier = runs.get(run.key)
      if (earlier !== undefined) {
        repeats.delete(earlier)
        earlier.exchange.end('lease_lost')
      }
      runs.set(run.key, run)
      if (run.record.repeats !== undefined) repeats.add(run)
      beats ??= setInterval(beat, leaseMs / 3).unref()
      if (early.delete(run.key)) run.exchange.end('cancelled')
    },
    remove(run) {
      if (runs.get(run.key) === run) runs.take(run.key)
      repeats.delete(run)
      if (runs.size > 0) return
      clearInterval(beats)
      beats = undefined
    },
    cancel(key) {
      const run = runs.get(key)
      if (run === undefined) cancelEarly(key)
      else run.exchange.end('cancelled')
      return run !== undefined
    },
    endSession(session) {
      for (const { exchange } of queued()) if (exchange.context.session === session) exchange.end('session_ended')
    },
    keyOfRequest: (session, id) =>
      queued().find(({ exchange }) => exchange.context.session === session && exchange.request.id === id)?.key,
    sessions: () => queued().map(({ exchange }) => exchange.context.session ?? ''),
  }
}
