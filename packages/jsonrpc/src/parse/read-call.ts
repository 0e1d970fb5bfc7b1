import { describeJson } from '../json/describe-json.ts'
import type { Envelope } from './envelope.ts'
import { isJsonObject } from '../json/json.ts'
import type { Notification, Request } from '../message/message.ts'
import { payloadOfParsed } from '../payload/payload.ts'
import { refuseRequest, wrongId } from './refuse.ts'
import type { Unreadable } from '../message/unreadable.ts'

/** Reads a message that has a method: a request, or without an id a notification (2.0 and 3.0 section 4). */
export function readCall(envelope: Envelope): Request | Notification | Unreadable {
  const { dialect, members, texts, id } = envelope
  const { method } = members
  // Some clients send null for absent params.
  const params = members.params ?? undefined
  if (typeof method !== 'string') {
    return refuseRequest(envelope, `Expected "method" to be a string, got ${describeJson(method)}`)
  }
  if (members.result !== undefined || members.error !== undefined || (dialect === '3.0' && isPartial(members))) {
    return refuseRequest(envelope, 'Expected either "method" or a response, got both')
  }
  if (params !== undefined && typeof params !== 'object') {
    return refuseRequest(envelope, `Expected "params" to be an object or an array, got ${describeJson(params)}`)
  }
  if (id === undefined && members.id !== undefined) {
    return refuseRequest(envelope, wrongId('id', members.id, dialect))
  }
  const payload = params === undefined ? undefined : payloadOfParsed(params, texts?.get('params'))
  if (dialect === '3.0' && members.options !== undefined) return readOptions(envelope, method, payload)
  return id === undefined
    ? { kind: 'notification', dialect, method, params: payload }
    : { kind: 'request', dialect, id, method, params: payload }
}

function readOptions(
  envelope: Envelope,
  method: string,
  params: Request['params'],
): Request | Notification | Unreadable {
  const { dialect, members, texts, id } = envelope
  const { options } = members
  if (options === undefined || !isJsonObject(options)) {
    return refuseRequest(envelope, `Expected "options" to be an object, got ${describeJson(options)}`)
  }
  const payload = payloadOfParsed(options, texts?.get('options'))
  return id === undefined
    ? { kind: 'notification', dialect, method, params, options: payload }
    : { kind: 'request', dialect, id, method, params, options: payload }
}

/**
 * Whether a message has members that in JSON-RPC 3.0 make it an ack or a part of a stream. In 2.0 such members have no
 * meaning.
 */
function isPartial({ ack, stream }: Envelope['members']): boolean {
  return ack !== undefined || stream !== undefined
}
