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
 * Calls a tool that its backend runs as a task only: starts the task, and collects what it comes to. A backend that
 * answers at once, because its server has no tasks after all, is taken at its word.
 *
 * @param request `tools/call` in the backend's own names
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
    // To cancel the request that waits for a task does not cancel the task.
    call.exchange.onEnd({ ended: () => calls.aside(call, entry, methods.tasksCancel, payloadOf({ taskId })) })
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

/** Not the backend's own id of the task. */
function withoutTask(outcome: Outcome): Outcome {
  return outcome.kind === 'complete' ? { kind: 'complete', result: unrelated(outcome.result) } : outcome
}
