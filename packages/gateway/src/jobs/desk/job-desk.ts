import type { Closer, Fabric, UnreadableReporter } from '@junctor/contracts'
import type { Host } from '@junctor/exchange'
import type { RequestId } from '@junctor/jsonrpc'
import { cancelJob, type Cancelled } from './cancel-job.ts'
import type { RemovedJobs } from '../store/removed-jobs.ts'
import type { ControlListener } from '../../nodes/subscribe-controls.ts'
import { readJobControl } from '../record/job-control.ts'
import { createJobIntake, type IntakeParts, type JobIntake } from './job-intake.ts'
import { createJobInputs, type JobInputs } from './job-inputs.ts'
import type { JobRecord } from '../record/job-record.ts'
import type { ProfileOf } from '../record/job-view.ts'
import type { RunningJobs } from '../run/running-jobs.ts'
import type { JobStore } from '../store/job-store.ts'
import { createJobWaiting, type JobWaiting } from './job-waiting.ts'
import type { UnattendedJobs } from '../run/unattended-jobs.ts'
import type { RefusedJobs } from '../store/refused-jobs.ts'
import type { StoredJob } from '../store/stored-records.ts'

/**
 * Accepts, reads, waits for and cancels jobs, regardless of the node that runs them. The methods reject when the fabric
 * rejects.
 */
export interface JobDesk extends JobIntake, Pick<JobWaiting, 'wait'> {
  read(key: string): Promise<JobRecord | undefined>
  ofOwner(owner: string): Promise<readonly JobRecord[]>
  cancel(key: string): Promise<Cancelled>
  /** The open questions of a running job on any node, and answers to them. */
  readonly inputs: JobInputs
  /** The open job that answers this request of a session, if this node accepted the job or runs it. */
  keyOfRequest(session: string, id: RequestId): string | undefined
  /** The sessions that wait for the answer of a job that this node accepted or runs. */
  waitingSessions(): ReadonlySet<string>
  /** Ends the jobs on this node whose answers would go to the stream of a session that has ended. */
  endSession(session: string): void
  /** Handles control messages of other nodes. */
  readonly control: ControlListener
  sweep(): void
  /** Lets other nodes wait for the jobs that this node runs, and ask which jobs it has refused. */
  serve(): Promise<readonly Closer[]>
  /** The number of unfinished jobs that this node accepted, as far as it knows. */
  readonly open: number
}

/** What a desk needs. */
export interface DeskParts extends IntakeParts {
  readonly fabric: Pick<Fabric, 'node' | 'now' | 'call' | 'serve' | 'send'>
  readonly host: Pick<Host, 'nextId'>
  readonly store: JobStore
  readonly runs: RunningJobs
  readonly refused: RefusedJobs
  readonly removed: RemovedJobs
  readonly unattended: UnattendedJobs
  readonly profileOf: ProfileOf
  /** Called with requests of other nodes that this version cannot read. They are refused. */
  readonly unreadable: UnreadableReporter
}

/**
 * Creates a desk for the jobs of all nodes. A job that a client reads and that no node runs is also checked: its item
 * may have been lost.
 */
export function createJobDesk(parts: DeskParts): JobDesk {
  const { fabric, store, open, runs, refused, removed, unattended } = parts

  const read = async (key: string): Promise<StoredJob | undefined> => {
    const job = await store.read(key)
    if (job !== undefined) unattended.asked(key, job.record)
    return job
  }

  const inputs = createJobInputs(parts)
  const waiting = createJobWaiting(fabric, runs, read, parts.unreadable)

  return {
    ...createJobIntake(parts),
    read: async (key) => (await read(key))?.record,
    ofOwner: (owner) => store.ofOwner(owner),
    wait: (key, exchange) => waiting.wait(key, exchange),
    cancel: (key) => cancelJob(parts, key),
    inputs,
    // The node that accepted a job that runs here may be gone.
    keyOfRequest: (session, id) => open.keyOfRequest(session, id) ?? runs.keyOfRequest(session, id),
    waitingSessions: () => new Set([...open.sessions(), ...runs.sessions()]),
    endSession: (session) => runs.endSession(session),
    control(received) {
      const control = readJobControl(received)
      if (control.kind !== 'read') return control
      const { kind, key } = control.value
      if (kind === 'job-cancel') runs.cancel(key)
      else open.delete(key)
      return control
    },
    sweep() {
      unattended.sweep()
      removed.sweep()
    },
    serve: () => Promise.all([waiting.serve(), refused.serve(), inputs.serve()]),
    get open() {
      return open.size
    },
  }
}
