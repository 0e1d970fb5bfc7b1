import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import type { Call } from '../../upstream/calls/call.ts'
import { failed } from '../../upstream/calls/failed.ts'
import type { JobDesk } from '../../jobs/job-desk.ts'
import { taskOf } from './task.ts'

/**
 * Answers a `tools/call` that runs as a task, as soon as the task is stored. After that, its client may disconnect and
 * its session may end.
 *
 * @param home this node, which is the home of the call's session
 */
export async function createTask(
  jobs: Pick<JobDesk, 'submit'>,
  call: Call,
  home: string,
  ttlMs: number | undefined,
): Promise<Outcome> {
  const { request, exchange } = call
  const { context } = exchange
  const submitted = await jobs.submit({ kind: 'task', request, context, home, ...(ttlMs !== undefined && { ttlMs }) })
  if (submitted.kind === 'refused') {
    const { situation, message } = submitted
    return failed(call, situation, message === undefined ? {} : { message })
  }
  return { kind: 'complete', result: payloadOf({ task: taskOf(submitted.record) }) }
}
