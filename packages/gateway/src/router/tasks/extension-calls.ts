import type { Outcome } from '@junctor/exchange'
import { edit, isJsonObject, type JsonObject, member, memberOf, type Payload, payloadOf } from '@junctor/jsonrpc'
import { completeResult, mcpExtensions, metaKeys, type ClientRequest, readQuestions } from '@junctor/protocol'

/** The declaration of a request whose sender takes a task in place of a result. */
const tasksTaken: JsonObject = { extensions: { [mcpExtensions.tasks]: {} } }

/** The params of a request with the declaration that its sender takes tasks: the gateway does, for its client. */
export function takingTasks(params: Payload = payloadOf({})): Payload {
  const meta = member(params, '_meta')
  const own = meta !== undefined && isJsonObject(meta.value()) ? meta : payloadOf({})
  return edit(params, { _meta: edit(own, { [metaKeys.clientCapabilities]: tasksTaken }) })
}

/** A task that a backend has started in place of a result (SEP-2663, "Task Creation"). */
export interface StartedTask {
  readonly taskId: string
  /** How long it can be read, in milliseconds. Undefined: without end, or unknown. */
  readonly ttlMs: number | undefined
}

/** Reads an outcome. Undefined: it is no task. */
export function readStartedTask(outcome: Outcome): StartedTask | undefined {
  const value = outcome.kind === 'complete' ? outcome.result.value() : undefined
  if (!isJsonObject(value) || value['resultType'] !== 'task' || typeof value['taskId'] !== 'string') return undefined
  const { taskId, ttlMs } = value
  return { taskId, ttlMs: typeof ttlMs === 'number' && ttlMs > 0 ? ttlMs : undefined }
}

/** -32021, and its number in early servers: a capability is missing. */
const missingCodes: ReadonlySet<number> = new Set([-32_021, -32_003])

/** Whether a backend has refused a request because its sender does not take tasks. */
export function insistsOnTasks(outcome: Outcome): boolean {
  if (outcome.kind !== 'error' || !missingCodes.has(outcome.error.code)) return false
  const extensions = memberOf(memberOf(outcome.error.data?.value(), 'requiredCapabilities'), 'extensions')
  return isJsonObject(extensions) && extensions[mcpExtensions.tasks] !== undefined
}

/** -32602: whether a backend has no such task (2025-11-25 and SEP-2663). */
export function isUnknownTask(outcome: Outcome): boolean {
  return outcome.kind === 'error' && outcome.error.code === -32_602
}

/** The state of a backend's own task, as `tasks/get` reports it. */
export type BackendTask =
  | {
      readonly kind: 'working'
      readonly pollMs: number
      readonly questions: readonly (readonly [string, ClientRequest])[]
    }
  | { readonly kind: 'over'; readonly outcome: Outcome }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'bad'; readonly message: string }

/** The time between two requests for the state of a task, in milliseconds: the least, the most, and the default. */
const pollMs = { least: 100, most: 30_000, usual: 1_000 } as const

/** Reads the result of `tasks/get`. */
export function readBackendTask(result: Payload): BackendTask {
  const value = result.value()
  const { status, pollIntervalMs, error } = isJsonObject(value) ? value : {}
  if (status === 'cancelled') return { kind: 'cancelled' }
  if (status === 'completed') {
    const own = member(result, 'result')
    if (own === undefined) return { kind: 'bad', message: 'Expected the task that is completed to have a result' }
    // The caller's own form is added where it is sent.
    return { kind: 'over', outcome: { kind: 'complete', result: completeResult(own) } }
  }
  if (status === 'failed') {
    const { code, message } = isJsonObject(error) ? error : {}
    const own = member(result, 'error')
    const data = own === undefined ? undefined : member(own, 'data')
    const wire = {
      code: typeof code === 'number' ? code : -32_603,
      message: typeof message === 'string' ? message : 'The task has failed',
      ...(data !== undefined && { data }),
    }
    return { kind: 'over', outcome: { kind: 'error', error: wire } }
  }
  const asked = typeof pollIntervalMs === 'number' ? pollIntervalMs : pollMs.usual
  const working = { kind: 'working', pollMs: Math.min(pollMs.most, Math.max(pollMs.least, asked)) } as const
  if (status !== 'input_required') return { ...working, questions: [] }
  const read = readQuestions(result)
  return read.kind === 'bad' ? read : { ...working, questions: read.requests }
}
