import { Pending, type RequestId } from '@junctor/jsonrpc'
import type { Situation } from '@junctor/protocol'
import type { LargeRequests, Leave } from '../../shared/large-requests.ts'
import type { GatewayLimits } from '../../shared/limits.ts'
import type { JobRecord } from '../record/job-record.ts'
import { createJobShares } from './job-shares.ts'
import type { StoredJob } from './stored-records.ts'
import type { Submission } from '../record/submission.ts'

/** A job that the accepting node also runs: nothing of it has to be read again. */
export interface AcceptedJob {
  readonly submission: Submission
  readonly stored: StoredJob
}

/** The unfinished jobs that this node accepted, as far as it knows. */
export interface OpenJobs {
  /** Adds a job, or returns why it is not accepted. */
  add(
    key: string,
    record: JobRecord,
    submission: Submission,
  ): Extract<Situation, 'overloaded' | 'duplicate_id'> | undefined
  /** Keeps the stored record, so that this node need not read it to run the job. */
  stored(key: string, job: StoredJob): void
  /** It is stored as an item of the queue alone, with this record. */
  held(key: string, record: JobRecord): void
  /** The submission and stored record of a job. Returned once. */
  take(key: string): AcceptedJob | undefined
  delete(key: string): void
  /** The key of the job that answers a request of a session. */
  keyOfRequest(session: string, id: RequestId): string | undefined
  /** The job that answers a request of the same session with the same id as the request of this one. */
  ofSameRequest(record: JobRecord): JobRecord | undefined
  /** The sessions that wait for answers of these jobs on their streams. */
  sessions(): readonly string[]
  /** The jobs without news since they were accepted or last returned here. */
  overdue(now: number): readonly OverdueJob[]
  readonly size: number
}

/** A job without news for a while. */
export interface OverdueJob {
  readonly key: string
  /** The original record. */
  readonly record: JobRecord
  /** The record in its queue item, if that is all that was stored. */
  readonly held: JobRecord | undefined
}

interface Row {
  readonly key: string
  readonly record: JobRecord
  held: JobRecord | undefined
  readonly requestName: string | undefined
  /** Called when the job is over. */
  readonly leave: Leave
  submission: Submission | undefined
  stored: StoredJob | undefined
  /** When the job must be checked next, in epoch milliseconds. */
  dueAt: number
}

/** A job is checked when it had no news for this long, in milliseconds: longer than a lost lease lasts. */
const overdueMs = 30_000

/** The next check is at twice its age, but not later than this, in milliseconds. */
const longestMs = 10 * 60_000

/** Params of fewer characters are not counted among large requests. */
const largeCharacters = 16 * 1024

/**
 * Creates an empty table.
 *
 * @param large the large requests of the node: those of open jobs are among them
 */
export function createOpenJobs(
  limits: Pick<GatewayLimits, 'jobsOfTenant' | 'jobsOfPrincipal'>,
  large: Pick<LargeRequests, 'enter'>,
): OpenJobs {
  const rows = new Pending<Row, string>()
  const requests = new Pending<string, string>()
  const shares = createJobShares(limits)

  const remove = (key: string): void => {
    const row = rows.take(key)
    if (row === undefined) return
    shares.remove(row.record)
    row.leave()
    if (row.requestName !== undefined) requests.take(row.requestName)
  }

  return {
    add(key, record, submission) {
      const name = requestName(record)
      if (name !== undefined && requests.has(name)) return 'duplicate_id'
      const leave = shares.isFull(record) ? undefined : enter(record, large)
      if (leave === undefined) return 'overloaded'
      const dueAt = record.createdAt + overdueMs
      rows.set(key, { key, record, held: undefined, requestName: name, leave, submission, stored: undefined, dueAt })
      shares.add(record)
      if (name !== undefined) requests.set(name, key)
      return undefined
    },
    stored(key, job) {
      const row = rows.get(key)
      if (row !== undefined) row.stored = job
    },
    held(key, record) {
      const row = rows.get(key)
      if (row === undefined) return
      row.held = record
      row.submission = undefined
    },
    take(key) {
      const row = rows.get(key)
      if (row === undefined) return undefined
      const { submission, stored } = row
      row.submission = undefined
      row.stored = undefined
      return submission === undefined || stored === undefined ? undefined : { submission, stored }
    },
    delete: remove,
    keyOfRequest: (session, id) => requests.get(nameIn(session, id)),
    ofSameRequest(record) {
      const name = requestName(record)
      const key = name === undefined ? undefined : requests.get(name)
      return key === undefined ? undefined : rows.get(key)?.record
    },
    sessions: () => rows.values().flatMap(waitingSession),
    overdue: (now) => overdueAmong(rows.values(), now),
    get size() {
      return rows.size
    },
  }
}

/**
 * Identifies a request whose answer goes to a stream: two open requests must not have the same id. Tasks have ids of
 * their own.
 */
export function requestName({ kind, session, request }: JobRecord): string | undefined {
  return kind === 'queued' && session !== undefined ? nameIn(session, request.id) : undefined
}

function nameIn(session: string, id: string): string {
  return `${session} ${id}`
}

/** The time of the next check. A job is checked at the end of its time to live in any case. */
function nextCheckAt({ createdAt, ttlMs }: JobRecord, now: number): number {
  const next = now + Math.min(now - createdAt, longestMs)
  const end = createdAt + ttlMs
  return now < end ? Math.min(next, end) : now + overdueMs
}

/** The session whose stream gets the answer of a job, if there is one. */
function waitingSession({ record: { kind, session } }: Row): readonly string[] {
  return kind === 'queued' && session !== undefined ? [session] : []
}

/** The jobs that must be checked now, and not again for a while. */
function overdueAmong(rows: readonly Row[], now: number): readonly OverdueJob[] {
  const due = rows.filter(({ dueAt }) => now >= dueAt)
  for (const row of due) row.dueAt = nextCheckAt(row.record, now)
  return due.map(({ key, record, held }) => ({ key, record, held }))
}

/** Counts the request of a job, if it is large. Undefined: there is no room for it. */
function enter({ request, principal }: JobRecord, large: Pick<LargeRequests, 'enter'>): Leave | undefined {
  const { params = '' } = request
  return params.length < largeCharacters ? () => {} : large.enter(params, principal)
}
