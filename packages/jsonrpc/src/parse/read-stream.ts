import { describeJson } from '../json/describe-json.ts'
import { type Envelope, type UncheckedMembers, readId, type Texts } from './envelope.ts'
import { isJsonObject } from '../json/json.ts'
import { memberTexts } from '../json/json-scan.ts'
import type { ChunkMessage, Response } from '../message/message.ts'
import { payloadOfParsed } from '../payload/payload.ts'
import { readError } from './read-error.ts'
import { refuseAnswer, refuseLongId, wrongId } from './refuse.ts'
import type { RequestId } from '../message/request-id.ts'
import type { Unreadable } from '../message/unreadable.ts'

/**
 * Reads a part of a stream: a piece, or its end. The content is inside `stream` or next to it: section 6 of JSON-RPC
 * 3.0 puts data inside and ends next to it, the examples in section 11 put both next to it.
 */
export function readStream(envelope: Envelope): ChunkMessage | Response | Unreadable {
  const { dialect, members, bounds } = envelope
  const { stream } = members
  if (!isJsonObject(stream)) {
    return refuseAnswer(dialect, undefined, `Expected "stream" to be an object, got ${describeJson(stream)}`)
  }
  const inner: UncheckedMembers<'id'> & Carried = stream
  const text = envelope.texts?.get('stream')
  const innerTexts = text === undefined ? undefined : memberTexts(text)
  const id = readId(inner.id, innerTexts?.get('id'), dialect)
  if (id === undefined) return refuseAnswer(dialect, undefined, wrongId('stream.id', inner.id, dialect))
  if (id.length > bounds.idLength) return refuseLongId(envelope, id)
  if (members.id !== undefined) {
    return refuseAnswer(dialect, id, `Expected no "id" beside "stream", got ${describeJson(members.id)}`)
  }
  const inside = countCarried(inner)
  const count = inside + countCarried(members)
  if (count !== 1) {
    const got = count === 0 ? 'none of them' : 'several'
    return refuseAnswer(dialect, id, `Expected "stream" to come with one of "data", "result" and "error", got ${got}`)
  }
  return inside === 1 ? readCarried(inner, innerTexts, id) : readCarried(members, envelope.texts, id)
}

type Carried = UncheckedMembers<'data' | 'result' | 'error'>

function countCarried({ data, result, error }: Carried): number {
  return Number(data !== undefined) + Number(result !== undefined) + Number(error !== undefined)
}

function readCarried(
  { data, result, error }: Carried,
  texts: Texts,
  id: RequestId,
): ChunkMessage | Response | Unreadable {
  if (data !== undefined) return { kind: 'chunk', dialect: '3.0', id, data: payloadOfParsed(data, texts?.get('data')) }
  if (result !== undefined) {
    return { kind: 'result', dialect: '3.0', id, result: payloadOfParsed(result, texts?.get('result')), stream: true }
  }
  const read = readError(error, texts?.get('error'), '3.0')
  return typeof read === 'string'
    ? refuseAnswer('3.0', id, read)
    : { kind: 'error', dialect: '3.0', id, error: read, stream: true }
}
