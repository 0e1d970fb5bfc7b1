import { hash } from 'node:crypto'
import { canonicalText, isJsonObject, type JsonObject, type JsonValue, type Request } from '@junctor/jsonrpc'

/** Whether a request continues an earlier one, and how (2026-07-28, Multi Round-Trip Requests). */
export type Continuation =
  /** It is a request of its own. */
  | { readonly kind: 'none' }
  | { readonly kind: 'bad'; readonly message: string }
  | { readonly kind: 'continued'; readonly state: string; readonly responses: Readonly<Record<string, JsonObject>> }

const none: Continuation = { kind: 'none' }

/**
 * Reads `requestState` and `inputResponses`. Responses without a state continue nothing: they are ignored. Null is no state,
 * as in the official SDK for Python.
 */
export function readContinuation({ params }: Request): Continuation {
  const value = params?.value()
  if (!isJsonObject(value)) return none
  const { requestState: state, inputResponses: responses } = value
  if (state === undefined || state === null) return none
  if (typeof state !== 'string') return { kind: 'bad', message: 'Expects "requestState" to be a string' }
  if (responses === undefined || responses === null) return { kind: 'continued', state, responses: {} }
  if (!isJsonObject(responses)) return { kind: 'bad', message: 'Expects "inputResponses" to be an object' }
  const wrong = Object.keys(responses).find((key) => !isJsonObject(responses[key]))
  if (wrong !== undefined) {
    return { kind: 'bad', message: `Expects inputResponses[${JSON.stringify(wrong.slice(0, 100))}] to be an object` }
  }
  return { kind: 'continued', state, responses: responses as Readonly<Record<string, JsonObject>> }
}

/** The members of params that differ between the rounds of one request. */
const ofOneRound: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState'])

/** Identifies a request over all its rounds: equal for equal methods and params. */
export function requestDigest({ method, params }: Request): string {
  const value = params?.value()
  const lasting = isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !ofOneRound.has(name)))
    : (value ?? null)
  return digestOf([method, lasting as JsonValue])
}

/** Equal for equal JSON values. */
export function digestOf(value: JsonValue): string {
  return hash('sha256', canonicalText(value), 'base64url')
}
