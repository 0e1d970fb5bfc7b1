import { describeJson } from './describe-json.ts'
import type { FrameBounds } from './frame-bounds.ts'
import { isJsonObject, type JsonValue } from './json.ts'
import { memberTexts } from './json-scan.ts'
import type { Message } from './message.ts'
import { payloadOfParsed, type Payload } from './payload.ts'
import { requestId, type RequestId } from './request-id.ts'
import type { Unreadable } from './unreadable.ts'
import type { WireError } from './wire-error.ts'

/** The members of a message, before they are checked. */
type Envelope = Members<'jsonrpc' | 'id' | 'method' | 'params' | 'result' | 'error'>

type Members<Name extends string> = { readonly [member in Name]?: JsonValue | undefined }

/** The text of each member, when texts are to be kept. */
type Texts = ReadonlyMap<string, string> | undefined

/**
 * Classifies one parsed value by JSON-RPC 2.0 sections 4 and 5. `text` is the single line that it was parsed from, given
 * when its payloads and id have to keep what is written there.
 */
export function parseMessage(value: unknown, text: string | undefined, bounds: FrameBounds): Message | Unreadable {
  if (!isJsonObject(value)) {
    return refuse({}, undefined, `Expected a message to be an object, got ${describeJson(value)}`)
  }
  const envelope: Envelope = value
  const texts = text === undefined ? undefined : memberTexts(text)
  const id = readId(envelope.id, texts?.get('id'))
  if (id !== undefined && id.length > bounds.idLength) {
    return refuse(
      {},
      undefined,
      `Expected an id of at most ${bounds.idLength} characters, got ${id.length}`,
      'too_large',
    )
  }
  if (envelope.jsonrpc !== '2.0') {
    return refuse(envelope, id, `Expected "jsonrpc" to be "2.0", got ${describeVersion(envelope.jsonrpc)}`)
  }
  if (envelope.method !== undefined) return parseCall(envelope, texts, id)
  if (envelope.result !== undefined || envelope.error !== undefined) return parseResponse(envelope, texts, id)
  return refuse(envelope, id, 'Expected "method", "result" or "error", got none of them')
}

/**
 * Refuses a frame that is too deep to be parsed. Its id is looked for without parsing, so that the sender of a deep
 * request, or the own request behind a deep response, does not wait for ever.
 */
export function refuseTooDeep(text: string, bounds: FrameBounds): Unreadable {
  const message = `Expected at most ${bounds.depth} levels of objects and arrays, got more`
  try {
    const texts = memberTexts(text)
    const idText = texts.get('id')
    const id = idText !== undefined && idText.length <= bounds.idLength ? readId(JSON.parse(idText), idText) : undefined
    return refuse(Object.fromEntries(texts), id, message, 'too_large')
  } catch {
    return refuse({}, undefined, message, 'too_large')
  }
}

function parseCall(envelope: Envelope, texts: Texts, id: RequestId | undefined): Message | Unreadable {
  const { method, params } = envelope
  if (typeof method !== 'string') {
    return refuse(envelope, id, `Expected "method" to be a string, got ${describeJson(method)}`)
  }
  if (envelope.result !== undefined || envelope.error !== undefined) {
    return refuse(envelope, id, 'Expected either "method" or a response, got both')
  }
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return refuse(envelope, id, `Expected "params" to be an object or an array, got ${describeJson(params)}`)
  }
  const payload = params === undefined ? undefined : payloadOfParsed(params, texts?.get('params'))
  if (id !== undefined) return { kind: 'request', dialect: '2.0', id, method, params: payload }
  if (envelope.id !== undefined) return refuseId(envelope)
  return { kind: 'notification', dialect: '2.0', method, params: payload }
}

function parseResponse(envelope: Envelope, texts: Texts, id: RequestId | undefined): Message | Unreadable {
  const { result, error } = envelope
  if (result !== undefined) {
    if (error !== undefined) return refuse(envelope, id, 'Expected either "result" or "error", got both')
    if (id === undefined) return refuseId(envelope)
    return { kind: 'result', dialect: '2.0', id, result: payloadOfParsed(result, texts?.get('result')) }
  }
  // A peer that could not read our id says null, or nothing.
  if (id === undefined && envelope.id !== undefined && envelope.id !== null) return refuseId(envelope)
  const parsed = parseError(error, texts?.get('error'))
  return typeof parsed === 'string'
    ? refuse(envelope, id, parsed)
    : { kind: 'error', dialect: '2.0', id, error: parsed }
}

/** The error of a response, or what is wrong with it. */
function parseError(error: JsonValue | undefined, text: string | undefined): WireError | string {
  if (!isJsonObject(error)) return `Expected "error" to be an object, got ${describeJson(error)}`
  const { code, message, data }: Members<'code' | 'message' | 'data'> = error
  if (typeof code !== 'number') return `Expected "error.code" to be an integer, got ${describeJson(code)}`
  if (!Number.isSafeInteger(code)) return 'Expected "error.code" to be an integer, got another number'
  if (typeof message !== 'string') return `Expected "error.message" to be a string, got ${describeJson(message)}`
  return data === undefined ? { code, message } : { code, message, data: dataPayload(data, text) }
}

function dataPayload(data: JsonValue, errorText: string | undefined): Payload {
  return payloadOfParsed(data, errorText === undefined ? undefined : memberTexts(errorText).get('data'))
}

/** The id, or undefined when there is none or it is of a kind that no request can have. */
function readId(id: unknown, text: string | undefined): RequestId | undefined {
  if (typeof id === 'number') return (text ?? String(id)) as RequestId
  return typeof id === 'string' ? requestId(id) : undefined
}

function refuseId(envelope: Envelope): Unreadable {
  return refuse(envelope, undefined, `Expected "id" to be a string or a number, got ${describeJson(envelope.id)}`)
}

function describeVersion(version: JsonValue | undefined): string {
  return typeof version === 'string' && version.length <= 8 ? JSON.stringify(version) : describeJson(version)
}

function refuse(
  { method, result, error }: { readonly method?: unknown; readonly result?: unknown; readonly error?: unknown },
  id: RequestId | undefined,
  message: string,
  situation: Unreadable['situation'] = 'invalid_request',
): Unreadable {
  const isResponse = method === undefined && (result !== undefined || error !== undefined)
  return {
    kind: 'unreadable',
    situation,
    id: isResponse ? undefined : id,
    answers: isResponse ? id : undefined,
    message,
  }
}
