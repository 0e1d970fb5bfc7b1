import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { allows } from '@junctor/protocol'
import type { Call } from '../../upstream/calls/call.ts'
import { failed } from '../../upstream/calls/failed.ts'
import type { JobDesk } from '../../jobs/desk/job-desk.ts'
import { extensionTask } from './extension-task.ts'
import { taskOf } from './task.ts'

/** The settings of a new task. */
export interface NewTask {
  /** This node, which is the home of the call's session. */
  readonly home: string
  /** How long the client wants to read it, in milliseconds. Undefined: as long as the limit allows. */
  readonly ttlMs: number | undefined
  /** The task that the backend has already started. Absent: the task calls the tool. */
  readonly backendTask?: string
}

/**
 * Answers a `tools/call` that runs as a task, as soon as the task is stored. After that, its client may disconnect and
 * its session may end.
 */
export async function createTask(
  jobs: Pick<JobDesk, 'submit'>,
  call: Call,
  { home, ttlMs, backendTask }: NewTask,
): Promise<Outcome> {
  const { request, exchange } = call
  const { context } = exchange
  const submitted = await jobs.submit({
    kind: 'task',
    request,
    context,
    home,
    ...(ttlMs !== undefined && { ttlMs }),
    ...(backendTask !== undefined && { backendTask }),
  })
  if (submitted.kind === 'refused') return failed(call, submitted.situation, submitted.details)
  const { record } = submitted
  const isExtension = allows(context.revision, 'taskExtension')
  const result = isExtension ? { resultType: 'task', ...extensionTask(record) } : { task: taskOf(record) }
  return { kind: 'complete', result: payloadOf(result) }
}
