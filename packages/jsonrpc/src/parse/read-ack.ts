import { describeJson } from '../json/describe-json.ts'
import { edit } from '../payload/edit.ts'
import { type Envelope, type UncheckedMembers, readId } from './envelope.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { memberTexts } from '../json/json-scan.ts'
import type { AckMessage } from '../message/message.ts'
import { payloadOfParsed, type Payload } from '../payload/payload.ts'
import { refuseAnswer, refuseLongId, wrongId } from './refuse.ts'
import type { Unreadable } from '../message/unreadable.ts'

/** Reads an ack: of a request by the id at the root, of a stream by the id inside `ack` (3.0 sections 5.3 and 6.5). */
export function readAck(envelope: Envelope): AckMessage | Unreadable {
  const { dialect, members, texts, id, bounds } = envelope
  const { ack } = members
  if (!isJsonObject(ack)) return refuseAnswer(dialect, id, `Expected "ack" to be an object, got ${describeJson(ack)}`)
  if (members.result !== undefined || members.error !== undefined || members.stream !== undefined) {
    return refuseAnswer(dialect, id, 'Expected exactly one of "result", "error", "ack" and "stream", got several')
  }
  const text = texts?.get('ack')
  const info = payloadOfParsed(ack, text)
  if (id !== undefined) return { kind: 'ack', dialect: '3.0', id, info: unlessEmpty(ack, info) }
  if (members.id !== undefined) return refuseAnswer(dialect, undefined, wrongId('id', members.id, dialect))
  const inner: UncheckedMembers<'id'> = ack
  const streamId = readId(inner.id, text && memberTexts(text).get('id'), dialect)
  if (streamId === undefined) return refuseAnswer(dialect, undefined, wrongId('ack.id', inner.id, dialect))
  if (streamId.length > bounds.idLength) return refuseLongId(envelope, streamId)
  return { kind: 'ack', dialect: '3.0', id: streamId, stream: true, info: withoutId(ack, info) }
}

function unlessEmpty(ack: JsonObject, info: Payload): Payload | undefined {
  return Object.keys(ack).length === 0 ? undefined : info
}

function withoutId(ack: JsonObject, info: Payload): Payload | undefined {
  return Object.keys(ack).length === 1 ? undefined : edit(info, { id: undefined })
}
