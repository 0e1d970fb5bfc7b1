import type { Exchange, NotificationBody } from '@junctor/exchange'
import { isJsonObject, member, type Payload } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { JobDesk } from '../../jobs/desk/job-desk.ts'
import { isFinal, type JobRecord, keyOf, ownerOf } from '../../jobs/record/job-record.ts'
import { detailedTask } from '../../router/tasks/extension-task.ts'
import { pauseUnlessStopped } from '../../shared/pause.ts'

/** How often the state of a task is read, in milliseconds: the same interval that clients are asked to use. */
const readMs = 500

/** The most tasks of one subscription. The acknowledgement names those that are watched. */
const mostTasks = 100

type Desk = Pick<JobDesk, 'read' | 'inputs'>

/** The tasks among these ids that are the caller's own. */
export async function ownTasks(
  jobs: Desk,
  { context }: Exchange,
  ids: readonly string[],
): Promise<readonly JobRecord[]> {
  const owner = ownerOf(context)
  const records = await Promise.all(ids.slice(0, mostTasks).map((id) => jobs.read(keyOf({ owner, id }))))
  return records.flatMap((record) => (record?.kind === 'task' ? [record] : []))
}

/**
 * Notifies of the state of each task now, and of each new one, until it is over or the signal aborts (SEP-2663,
 * "Task Status Notifications"). The state is read, because any node may run the task. Never rejects.
 */
export async function watchTasks(
  jobs: Desk,
  signal: AbortSignal,
  tasks: readonly JobRecord[],
  notify: (notification: NotificationBody) => void,
): Promise<void> {
  const watched = new Map(tasks.map((record) => [keyOf(record), '']))
  while (watched.size > 0 && !signal.aborted) {
    for (const [key, last] of watched) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, so that a listener costs little
      const seen = await read(jobs, key)
      if (signal.aborted) return
      if (seen.kind === 'unread') continue
      if (seen.kind === 'forgotten' || seen.isOver) watched.delete(key)
      else watched.set(key, seen.mark)
      if (seen.kind === 'task' && seen.mark !== last) {
        notify({ method: methods.notificationsTasks, params: seen.task })
      }
    }
    // oxlint-disable-next-line no-await-in-loop -- see above
    await pauseUnlessStopped(readMs, signal)
  }
}

/** A task now, and a text that changes with it. `unread`: the fabric does not answer now. */
type Seen =
  | { readonly kind: 'task'; readonly task: Payload; readonly mark: string; readonly isOver: boolean }
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'unread' }

async function read(jobs: Desk, key: string): Promise<Seen> {
  let record: JobRecord | undefined
  try {
    record = await jobs.read(key)
  } catch {
    return { kind: 'unread' }
  }
  if (record === undefined) return { kind: 'forgotten' }
  const questions = record.state === 'input_required' ? await jobs.inputs.open(record) : undefined
  const task = detailedTask(record, questions)
  const status = member(task, 'status')?.value()
  const open = questions?.value()
  const keys = isJsonObject(open) ? Object.keys(open) : []
  return { kind: 'task', task, mark: JSON.stringify([status, ...keys]), isOver: isFinal(record.state) }
}
