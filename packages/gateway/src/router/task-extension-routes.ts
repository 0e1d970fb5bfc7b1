import type { Outcome } from '@junctor/exchange'
import { isJsonObject, memberOf } from '@junctor/jsonrpc'
import { mcpExtensions, takesTasks } from '@junctor/protocol'
import type { JobDesk } from '../jobs/desk/job-desk.ts'
import { keyOf, ownerOf, type JobRecord } from '../jobs/record/job-record.ts'
import { emptyOutcome } from '../shared/empty-outcome.ts'
import type { Call } from '../upstream/calls/call.ts'
import { capabilityMissing } from '../upstream/calls/capability-missing.ts'
import { failed } from '../upstream/calls/failed.ts'
import type { MethodRoute } from './method-route.ts'
import { textParam } from './params.ts'
import { detailedTask } from './tasks/extension-task.ts'
import { unknownTask } from './tasks/unknown-task.ts'

type Desk = Pick<JobDesk, 'read' | 'cancel' | 'inputs'>

/** `tasks/get` of 2026-07-28: the task, with its result or its open questions (SEP-2663, "Task Polling"). */
export function extensionGetRoute(jobs: Desk): MethodRoute {
  return onTask(jobs, async (_call, record) => {
    const questions = record.state === 'input_required' ? await jobs.inputs.open(record) : undefined
    return { kind: 'complete', result: detailedTask(record, questions) }
  })
}

/** `tasks/update`: answers to questions of the task. Answers without an open question are ignored (SEP-2663). */
export function extensionUpdateRoute(jobs: Desk): MethodRoute {
  return onTask(jobs, async (call, record) => {
    const responses = memberOf(call.request.params?.value(), 'inputResponses')
    if (!isJsonObject(responses)) {
      return failed(call, 'invalid_params', { message: 'Expects "inputResponses" to be an object' })
    }
    await jobs.inputs.answer(record, responses)
    return emptyOutcome
  })
}

/** `tasks/cancel` of 2026-07-28: a wish. A task that is over stays as it is (SEP-2663, "Task Cancellation"). */
export function extensionCancelRoute(jobs: Desk): MethodRoute {
  return onTask(jobs, async (_call, record) => {
    await jobs.cancel(keyOf(record))
    return emptyOutcome
  })
}

/** The error for a request that does not declare tasks, and needs them (SEP-2663, "Negotiation"). */
export function tasksMissing(call: Call): Outcome {
  return capabilityMissing(call, { extensions: { [mcpExtensions.tasks]: {} } })
}

function onTask(jobs: Desk, answer: (call: Call, record: JobRecord) => Promise<Outcome>): MethodRoute {
  return async (call) => {
    const { context } = call.exchange
    if (!takesTasks(context.client.capabilities, context.revision)) return tasksMissing(call)
    const read = textParam(call, 'taskId')
    if (read.kind === 'bad') return read.outcome
    const record = await jobs.read(keyOf({ owner: ownerOf(context), id: read.text }))
    return record?.kind === 'task' ? answer(call, record) : unknownTask(call)
  }
}
