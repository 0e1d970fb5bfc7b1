import { payloadOf, printNotification } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { JobDelivery } from '../../jobs/delivery/job-delivery.ts'
import type { JobRecord } from '../../jobs/record/job-record.ts'
import type { JobChange } from '../../jobs/record/job-transition.ts'
import { taskOf } from './task.ts'

/** The changes of a job that a client can see in the status of its task. */
const shown: ReadonlySet<JobChange['kind']> = new Set(['ask', 'go_on', 'end', 'cancel'])

/** Notifies the session that started a task of its new status (2025-11-25, Tasks, "Task Status Notification"). */
export function notifyTaskStatus(deliveries: Pick<JobDelivery, 'deliver'>, record: JobRecord, change: JobChange): void {
  const { kind, id, session, home } = record
  if (kind !== 'task' || session === undefined || !shown.has(change.kind)) return
  const text = printNotification(methods.notificationsTasksStatus, payloadOf(taskOf(record)))
  void deliveries.deliver(home, { session, job: id, text, last: false })
}
