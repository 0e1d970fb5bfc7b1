import { payloadOf, printMessage } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { JobDelivery } from '../../jobs/delivery/job-delivery.ts'
import type { JobRecord } from '../../jobs/record/job-record.ts'
import type { JobChange } from '../../jobs/record/job-transition.ts'
import { taskOf } from './task.ts'

/** The changes of a job that a client can see in the status of its task. */
const shown: ReadonlySet<JobChange['kind']> = new Set(['ask', 'go_on', 'end', 'cancel'])

/**
 * Notifies the session that started a task of its new status (2025-11-25, Tasks, "Task Status Notification"), in the
 * JSON-RPC version of the request that started it.
 */
export function notifyTaskStatus(deliveries: Pick<JobDelivery, 'deliver'>, record: JobRecord, change: JobChange): void {
  const { kind, id, session, home } = record
  if (kind !== 'task' || session === undefined || !shown.has(change.kind)) return
  const { dialect } = record.request
  const params = payloadOf(taskOf(record))
  const status = { kind: 'notification', dialect, method: methods.notificationsTasksStatus, params } as const
  const text = printMessage(status, { nullId: false })
  void deliveries.deliver(home, { session, job: id, text, last: false })
}
