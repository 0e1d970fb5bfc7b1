import { describeJson } from '../json/describe-json.ts'
import { type Envelope, type UncheckedMembers, readId } from './envelope.ts'
import { isJsonObject } from '../json/json.ts'
import { memberTexts } from '../json/json-scan.ts'
import type { AbortMessage } from '../message/message.ts'
import { refuseLongId, refuseRequest, wrongId } from './refuse.ts'
import type { Unreadable } from '../message/unreadable.ts'

/** Reads a message that has only options, which can only abort a stream (JSON-RPC 3.0 section 4.2). */
export function readAbort(envelope: Envelope): AbortMessage | Unreadable {
  const { dialect, members, texts } = envelope
  const { options } = members
  if (!isJsonObject(options)) {
    return refuseRequest(envelope, `Expected "options" to be an object, got ${describeJson(options)}`)
  }
  const { stream, abort }: UncheckedMembers<'stream' | 'abort'> = options
  if (abort !== true || members.id !== undefined) {
    return refuseRequest(envelope, 'Expected "method", or "options" with "abort": true and no "id", got neither')
  }
  const text = texts?.get('options')
  const id = readId(stream, text === undefined ? undefined : memberTexts(text).get('stream'), dialect)
  if (id === undefined) return refuseRequest(envelope, wrongId('options.stream', stream, dialect))
  return id.length > envelope.bounds.idLength ? refuseLongId(envelope, id) : { kind: 'abort', dialect: '3.0', id }
}
