import type { Fabric } from '@junctor/contracts'
import type { Handler, Outcome } from '@junctor/exchange'
import { isJsonObject, printNotification, payloadOf } from '@junctor/jsonrpc'
import { mcpProfile, methods } from '@junctor/protocol'
import type { OutboxParts } from './nodes/outbox.ts'
import { sessionService } from './sessions/session-directory.ts'
import type { StreamTable } from './sessions/streams/stream-table.ts'
import { taskOf } from './router/tasks/task.ts'
import type { TenantEntry } from './shared/tenant-entry.ts'
import type { Deliveries, DeliverySessions } from './sessions/deliveries.ts'
import { createDeliveries } from './sessions/deliveries.ts'
import type { JobEngine } from './jobs/job-engine.ts'
import { createJobEngine } from './jobs/job-engine.ts'
import type { JobParts } from './jobs/job-parts.ts'
import type { JobRecord } from './jobs/job-record.ts'
import { createJobStore } from './jobs/job-store.ts'
import { createOpenJobs } from './jobs/open-jobs.ts'
import { WithoutSession } from './jobs/without-session.ts'

/** What is past its time can be told so for so much longer, in milliseconds. */
const answerMs = 60_000

/** What jobs stand on at one node. */
export interface JobsParts extends Pick<JobParts, 'host' | 'clock' | 'limits' | 'log' | 'tell' | 'longestCallMs'> {
  readonly fabric: Fabric
  readonly isThere: OutboxParts['isThere']
  readonly tenants: ReadonlyMap<string, TenantEntry>
  readonly streams: StreamTable
  readonly sessions: DeliverySessions
  /** Answers requests of sessions at home here, and of callers without one. */
  readonly answer: Handler
}

/** The jobs of one node. */
export interface Jobs {
  readonly engine: JobEngine
  readonly deliveries: Deliveries
}

export function createJobs(parts: JobsParts): Jobs {
  const { fabric, tenants, streams, sessions, limits, clock, answer } = parts
  const deliveries = createDeliveries(parts, sessions, streams)
  // Two calls of the longest: one waits for the other.
  const passingMs = Math.min(limits.jobTtlMs, Math.max(limits.jobPassingMs, 2 * parts.longestCallMs()))
  const store = createJobStore(fabric, { kept: limits.jobTtlMs, passing: passingMs + answerMs }, clock.now)

  const atHome =
    (node: string): Handler =>
    (request, exchange) =>
      fabric.call({ service: sessionService, node }, request, exchange)

  const handlerOf = (record: JobRecord): Handler => {
    const handler = record.session === undefined || record.home === fabric.node ? answer : atHome(record.home)
    // What has no session to be answered on needs none to be run.
    if (record.session === undefined || record.kind === 'queued') return handler
    return async (request, exchange) => {
      const outcome = await handler(request, exchange)
      return foundNoSession(outcome) ? answer(request, new WithoutSession(exchange)) : outcome
    }
  }

  const engine = createJobEngine(
    fabric,
    {
      ...parts,
      store,
      deliveries,
      passingMs,
      profileOf: (tenant) => tenants.get(tenant)?.tenant.profile ?? mcpProfile,
      handlerOf,
      homeOf: ({ session, home }) => (session === undefined ? home : sessions.homeOf(session, home)),
      changed: (record) => tellStatus(deliveries, record),
    },
    createOpenJobs(limits),
  )
  return { engine, deliveries }
}

/** Whoever started a task may be told where it is (2025-11-25, Tasks, "Task Status Notification"). */
function tellStatus(deliveries: Deliveries, record: JobRecord): void {
  const { kind, id, session, home } = record
  if (kind !== 'task' || session === undefined) return
  const text = printNotification(methods.notificationsTasksStatus, payloadOf(taskOf(record)))
  void deliveries.deliver(home, { session, job: id, text, last: false })
}

/** Whether a request was not run, because its session, or the node where that was at home, is gone. */
function foundNoSession(outcome: Outcome): boolean {
  const data = outcome.kind === 'error' ? outcome.error.data?.value() : undefined
  if (!isJsonObject(data)) return false
  const { reason, backend } = data
  return reason === 'session_unknown' || (reason === 'backend_unavailable' && backend === undefined)
}
