import {
  type CallFailure,
  isJsonObject,
  isTooDeepAnswer,
  type JsonObject,
  mostAnswerLevels,
  parseExactly,
  type Situation,
} from '@junctor/plugin-sdk/link'

/** What a component has answered: the result of its tool, or how the call failed. */
export type ComponentAnswer =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'failed'; readonly failure: CallFailure }

/** Statuses that mean that the tool did not run, or that its answer was lost. Any other is `tool_failed`. */
const statusSituations: ReadonlyMap<number, Situation> = new Map([
  [429, 'backend_unavailable'],
  [502, 'backend_exited'],
  [503, 'backend_unavailable'],
  [504, 'deadline_exceeded'],
])

/**
 * Reads the answer to a call, whatever its content type: `{ "content": [...] }`, or an error of JSON-RPC. Numbers that
 * JavaScript would change are raw numbers in it.
 *
 * @param tool the name of the tool, for messages
 * @param retryAfterMs after how many milliseconds it may be called again, if the answer says so
 */
export function readAnswer(status: number, body: string, tool: string, retryAfterMs?: number): ComponentAnswer {
  if (isTooDeepAnswer(body)) {
    return failed(`${tool} gave an answer of more than ${mostAnswerLevels} levels of objects and arrays`)
  }
  const value = parse(body)
  if (isJsonObject(value) && isJsonObject(value['error'])) {
    const failure = failureOf(value['error'])
    if (failure !== undefined) return { kind: 'failed', failure }
  }
  if (status < 200 || status >= 300) return refused(status, tool, retryAfterMs)
  if (value === undefined) return failed(`${tool} gave an answer that is not JSON`)
  return readResult(value, tool)
}

/** Reads the result of a tool. A result must have `content`, or `structuredContent` alone. */
export function readResult(value: unknown, tool: string): ComponentAnswer {
  if (isJsonObject(value) && Array.isArray(value['content'])) {
    const { content } = value
    if (content.every((block) => isJsonObject(block))) return { kind: 'result', result: value }
    return failed(`${tool} gave content with a block that is not an object`)
  }
  const isStructured = isJsonObject(value) && value['content'] === undefined && isJsonObject(value['structuredContent'])
  return isStructured ? { kind: 'result', result: value } : failed(`${tool} gave an answer without content`)
}

function refused(status: number, tool: string, retryAfterMs: number | undefined): ComponentAnswer {
  const situation = statusSituations.get(status) ?? 'tool_failed'
  const isBusy = situation === 'backend_unavailable' && retryAfterMs !== undefined
  const data = { status, ...(isBusy && { retryAfterMs }) }
  const details = { name: tool, message: `${tool} gave HTTP status ${status}`, data }
  return { kind: 'failed', failure: { situation, details } }
}

function failed(message: string): ComponentAnswer {
  return { kind: 'failed', failure: { situation: 'tool_failed', details: { message } } }
}

/** Error codes that the specification of components defines. JSON-RPC leaves them to each implementation. */
const componentCodes: ReadonlyMap<number, Situation> = new Map([
  [-32_001, 'tool_failed'],
  [-32_002, 'tool_failed'],
  [-32_003, 'invalid_arguments'],
  [-32_004, 'backend_unavailable'],
])

/** How a call has failed according to a JSON-RPC error; `undefined`: it is no such error. */
export function failureOf(error: JsonObject): CallFailure | undefined {
  const { code, title, message, data } = error
  if (!Number.isInteger(code) || typeof message !== 'string') return undefined
  const situation = componentCodes.get(code as number)
  const isJunctors = isJsonObject(data) && typeof data['reason'] === 'string'
  if (situation !== undefined && !isJunctors) return { situation, details: { message } }
  const more = { ...(typeof title === 'string' && { title }), ...(data !== undefined && { data }) }
  return { error: { code: code as number, message, ...more } }
}

function parse(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return undefined
  }
}
