import type { CallContext } from '@junctor/exchange'
import { describeJson, holdsObject, isJsonObject, type Payload } from '@junctor/jsonrpc'
import { completeResult, eraOf, methodGate, type Revision } from '@junctor/protocol'

/** What the result of a backend is for its caller. */
export type JudgedResult =
  | { readonly kind: 'result'; readonly result: Payload }
  | {
      readonly kind: 'bad'
      /** What was expected and what came, without any content of it. */
      readonly message: string
    }

/**
 * Judges a result of a backend before anything reads it.
 *
 * Every result of MCP is an object, and so is every result for a caller of 2026-07-28 (Base Protocol, "Responses"); methods
 * outside MCP may have any other.
 *
 * Only 2026-07-28 has types of results. A backend of an older revision, or a plugin, cannot ask or start a task with one:
 * its result is complete, whatever it says of itself. The same holds for a result that is kept, because a caller of either
 * era may collect it. A link to a server of 2026-07-28 gives questions as an outcome of their own, so that they are mapped.
 * A task needs an id, without which nobody can read it.
 *
 * @param from the revision of the backend's server
 */
export function judgeResult(
  method: string,
  result: Payload,
  from: Revision,
  { revision, job }: Pick<CallContext, 'revision' | 'job'>,
): JudgedResult {
  const isModern = eraOf(revision) === 'modern'
  if (!holdsObject(result)) {
    if (!isModern && methodGate(method, 'server', revision) === 'unknown') return { kind: 'result', result }
    return {
      kind: 'bad',
      message: `Expected the result of ${method} to be an object, got ${describeJson(result.value())}`,
    }
  }
  if (!isModern && job === undefined) return { kind: 'result', result }
  if (eraOf(from) === 'handshake') return { kind: 'result', result: completeResult(result) }
  const value = result.value()
  const { resultType, taskId } = isJsonObject(value) ? value : {}
  if (resultType === 'task' && typeof taskId !== 'string') {
    const got = taskId === undefined ? 'none' : describeJson(taskId)
    return { kind: 'bad', message: `Expected a task of ${method} to have a "taskId" that is a string, got ${got}` }
  }
  if (resultType === 'input_required') {
    return { kind: 'bad', message: `Expected the result of ${method} to be complete, got a result that asks` }
  }
  return { kind: 'result', result }
}
