import type { Closer, Control, Fabric } from '@junctor/contracts'
import type { Exchange } from '@junctor/exchange'
import type { RequestId } from '@junctor/jsonrpc'
import type { Cancelled } from './cancel-job.ts'
import { cancelJob } from './cancel-job.ts'
import type { ForgottenJobs } from './forgotten-jobs.ts'
import { readJobControl } from './job-control.ts'
import type { IntakeParts } from './job-intake.ts'
import { createJobIntake } from './job-intake.ts'
import type { JobRecord } from './job-record.ts'
import type { JobRuns } from './job-runs.ts'
import type { JobStore } from './job-store.ts'
import { createJobWaiting } from './job-waiting.ts'
import type { LeftJobs } from './left-jobs.ts'
import type { RefusedJobs } from './refused-jobs.ts'
import type { StoredJob } from './stored-records.ts'
import type { Submission, Submitted } from './submission.ts'

/**
 * Where jobs are handed in, looked at, waited for and cancelled, whichever node runs them. Methods reject when the fabric
 * does.
 */
export interface JobDesk {
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
  /** Lets other nodes wait for the jobs that this one runs, and ask which it has refused. */
  serve(): Promise<readonly Closer[]>
  /** Takes no more submissions: there is nobody else who could do what is left. */
  refuseMore(): void
  /** Jobs that came to this node and are not over, as far as it knows. */
  readonly open: number
}

/** What a desk stands on. */
export interface DeskParts extends IntakeParts {
  readonly fabric: Pick<Fabric, 'node' | 'now' | 'call' | 'serve' | 'send'>
  readonly store: JobStore
  readonly runs: JobRuns
  readonly refused: RefusedJobs
  readonly forgotten: ForgottenJobs
  readonly left: LeftJobs
}

export function createJobDesk(parts: DeskParts): JobDesk {
  const { fabric, store, open, runs, refused, forgotten, left } = parts
  const intake = createJobIntake(parts)

  const read = async (key: string): Promise<StoredJob | undefined> => {
    const job = await store.read(key)
    if (job !== undefined) left.asked(key, job.record)
    return job
  }

  const waiting = createJobWaiting(fabric, runs, read)

  return {
    submit: (submission) => intake.submit(submission),
    read: async (key) => (await read(key))?.record,
    ofOwner: (owner) => store.ofOwner(owner),
    wait: (key, exchange) => waiting.wait(key, exchange),
    cancel: (key) => cancelJob(parts, key),
    keyOfRequest: (session, id) => open.keyOfRequest(session, id),
    waitingSessions: () => new Set([...open.sessions(), ...runs.sessions()]),
    endSession: (session) => runs.endSession(session),
    control(received) {
      const control = readJobControl(received)
      if (control?.kind === 'job-cancel') runs.cancel(control.key)
      else if (control !== undefined) open.delete(control.key)
    },
    sweep() {
      left.sweep()
      forgotten.sweep()
    },
    serve: () => Promise.all([waiting.serve(), refused.serve()]),
    refuseMore: () => intake.refuseMore(),
    get open() {
      return open.size
    },
  }
}
