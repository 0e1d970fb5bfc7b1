import { describeJson } from '../json/describe-json.ts'
import type { UncheckedMembers } from './envelope.ts'
import { isJsonObject, type JsonValue } from '../json/json.ts'
import { memberTexts } from '../json/json-scan.ts'
import type { Dialect } from '../message/message.ts'
import { payloadOfParsed, type Payload } from '../payload/payload.ts'
import type { WireError } from '../message/wire-error.ts'

/**
 * Returns the error of a response, or a description of its fault. In JSON-RPC 3.0 it may have a title (section 5.2),
 * which also replaces an absent message.
 */
export function readError(
  error: JsonValue | undefined,
  text: string | undefined,
  dialect: Dialect,
): WireError | string {
  if (!isJsonObject(error)) return `Expected "error" to be an object, got ${describeJson(error)}`
  const members: UncheckedMembers<'code' | 'title' | 'message' | 'data'> = error
  const title = dialect === '3.0' ? members.title : undefined
  const { code, message = title, data } = members
  if (typeof code !== 'number') return `Expected "error.code" to be an integer, got ${describeJson(code)}`
  if (!Number.isSafeInteger(code)) return 'Expected "error.code" to be an integer, got another number'
  if (title !== undefined && typeof title !== 'string') {
    return `Expected "error.title" to be a string, got ${describeJson(title)}`
  }
  if (typeof message !== 'string') return `Expected "error.message" to be a string, got ${describeJson(message)}`
  return {
    code,
    message,
    ...(title !== undefined && { title }),
    ...(data !== undefined && { data: dataPayload(data, text) }),
  }
}

function dataPayload(data: JsonValue, errorText: string | undefined): Payload {
  return payloadOfParsed(data, errorText === undefined ? undefined : memberTexts(errorText).get('data'))
}
