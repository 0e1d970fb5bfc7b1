import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import type { Call } from '../../upstream/calls/call.ts'
import { failed } from '../../upstream/calls/failed.ts'
import type { JobDesk } from '../../jobs/job-desk.ts'
import { taskOf } from './task.ts'

/**
 * Answers a `tools/call` that is to be run as a task: with the task, as soon as it is stored. Its client may leave, and
 * its session may end.
 *
 * @param home this node, where the session of the call is at home
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
