import type { Outcome } from '@junctor/exchange'
import { andThen } from '@junctor/primitives'
import type { Request } from '@junctor/jsonrpc'
import { edit, isJsonObject, payloadOf } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { BackendCalls } from '../../upstream/calls/backend-calls.ts'
import type { Call } from '../../upstream/calls/call.ts'
import { unrelated } from '../../shared/related-task.ts'

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
    // Cancelling the request that waits for a task does not cancel the task itself.
    call.exchange.onEnd({ ended: () => calls.callUnawaited(call, entry, methods.tasksCancel, payloadOf({ taskId })) })
    const collect: Request = { ...request, method: methods.tasksResult, params: payloadOf({ taskId }) }
    return andThen(calls.run(call, entry, collect), withoutTask)
  })
}

function startedTask(outcome: Outcome): string | undefined {
  const result = outcome.kind === 'complete' ? outcome.result.value() : undefined
  const task = isJsonObject(result) ? result['task'] : undefined
  const taskId = isJsonObject(task) ? task['taskId'] : undefined
  return typeof taskId === 'string' ? taskId : undefined
}

/** Removes the backend's own task id. */
function withoutTask(outcome: Outcome): Outcome {
  return outcome.kind === 'complete' ? { kind: 'complete', result: unrelated(outcome.result) } : outcome
}
