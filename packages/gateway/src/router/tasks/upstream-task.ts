import type { Outcome } from '@junctor/exchange'
import { andThen } from '@junctor/primitives'
import { edit, memberOf, payloadOf, type Request } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { BackendCalls } from '../../upstream/calls/backend-calls.ts'
import type { Call } from '../../upstream/calls/call.ts'
import { pauseUnlessStopped } from '../../shared/pause.ts'
import { unrelated } from '../../shared/related-task.ts'
import { cancelledByBackend } from './cancelled-by-backend.ts'
import { isUnknownTask } from './extension-calls.ts'
import { againMs, hasNotReached } from './has-not-reached.ts'
import { taskHolder, taskLost } from './task-holder.ts'
import { goesOnAfter, keepForJob } from './task-of-job.ts'

/**
 * Calls a tool that its backend runs only as a task: starts the task, and requests its result. When the backend answers
 * without a task, because its server has none after all, that answer is used.
 *
 * @param request `tools/call` with the backend's own names
 */
export function callAsTask(
  calls: BackendCalls,
  call: Call,
  entry: BackendEntry,
  request: Request,
): Outcome | Promise<Outcome> {
  const asTask = { ...request, params: edit(request.params ?? payloadOf({}), { task: {} }) }
  return andThen(calls.run(call, entry, asTask), (started) => {
    const taskId = startedTask(started)
    if (taskId === undefined) return started
    keepForJob(call, entry, taskId)
    return collectResult(calls, call, entry, taskId)
  })
}

/** Waits for the result of a task of a backend. */
export function collectResult(calls: BackendCalls, call: Call, entry: BackendEntry, taskId: string): Promise<Outcome> {
  // Cancelling the request that waits for a task does not cancel the task itself.
  call.exchange.onEnd({
    ended(reason) {
      if (goesOnAfter(reason, call)) return
      calls.cancelTask(call, taskHolder(call, entry) ?? entry, payloadOf({ taskId }))
    },
  })
  return judgedResult(calls, call, entry, taskId)
}

async function judgedResult(calls: BackendCalls, call: Call, entry: BackendEntry, taskId: string): Promise<Outcome> {
  const collect: Request = { ...call.request, method: methods.tasksResult, params: payloadOf({ taskId }) }
  const outcome = await resultOf(calls, call, entry, collect)
  if (outcome.kind !== 'error' || call.exchange.ended !== undefined) return outcome
  return (await isCancelled(calls, call, entry, taskId)) ? cancelledByBackend(call, entry) : outcome
}

/** Whether a task is cancelled. The error that a server answers `tasks/result` with then is its own. */
async function isCancelled(calls: BackendCalls, call: Call, entry: BackendEntry, taskId: string): Promise<boolean> {
  const ask: Request = { ...call.request, method: methods.tasksGet, params: payloadOf({ taskId }) }
  const got = await calls.run(call, taskHolder(call, entry) ?? entry, ask)
  return memberOf(got.kind === 'complete' ? got.result.value() : undefined, 'status') === 'cancelled'
}

/** Asks for the result of a task until the backend is reached: the task goes on meanwhile. */
async function resultOf(calls: BackendCalls, call: Call, entry: BackendEntry, collect: Request): Promise<Outcome> {
  for (;;) {
    const holder = taskHolder(call, entry)
    if (holder === undefined) return taskLost(call)
    // oxlint-disable-next-line no-await-in-loop -- one request after the other
    const outcome = await calls.run(call, holder, collect)
    if (holder !== entry && isUnknownTask(outcome)) return taskLost(call)
    if (!hasNotReached(outcome) || call.exchange.ended !== undefined) return withoutTask(outcome)
    // oxlint-disable-next-line no-await-in-loop
    await pauseUnlessStopped(againMs, call.exchange.signal)
  }
}

function startedTask(outcome: Outcome): string | undefined {
  const task = outcome.kind === 'complete' ? memberOf(outcome.result.value(), 'task') : undefined
  const taskId = memberOf(task, 'taskId')
  return typeof taskId === 'string' ? taskId : undefined
}

/** Removes the backend's own task id. */
function withoutTask(outcome: Outcome): Outcome {
  return outcome.kind === 'complete' ? { kind: 'complete', result: unrelated(outcome.result) } : outcome
}
