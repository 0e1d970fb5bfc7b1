import { describeJson } from '../json/describe-json.ts'
import { type Envelope, type MessageMembers, readDialect, readId } from './envelope.ts'
import type { FrameBounds } from './frame-bounds.ts'
import { isJsonObject, type JsonValue } from '../json/json.ts'
import { memberTexts, scanMembers, type ScannedMember, textsOf } from '../json/json-scan.ts'
import type { Message } from '../message/message.ts'
import { parseKeepingNumbers } from '../json/raw-json.ts'
import { readAbort } from './read-abort.ts'
import { readAck } from './read-ack.ts'
import { readCall } from './read-call.ts'
import { readResponse } from './read-response.ts'
import { readStream } from './read-stream.ts'
import { refuseEither, refuseFrame, refuseLongId } from './refuse.ts'
import { refuseRepeated } from './refuse-repeated.ts'
import type { Unreadable } from '../message/unreadable.ts'

/**
 * Classifies one parsed value by sections 4 and 5 of JSON-RPC 2.0, or 4 to 6 of 3.0, according to its version. `text`
 * is the single line that it was parsed from; it is given when payloads and ids must keep their exact text, and when
 * `repeats` reports that an object in the frame has two members of one name. `frame` is the whole text, when the message
 * is alone in it.
 */
export function parseMessage(
  value: unknown,
  text: string | undefined,
  bounds: FrameBounds,
  repeats: boolean,
  frame?: string,
): Message | Unreadable {
  if (!isJsonObject(value)) {
    return refuseFrame('invalid_request', `Expected a message to be an object, got ${describeJson(value)}`)
  }
  const message = readMembers(value, text, bounds, repeats, frame)
  return message.kind === 'unreadable' ? { ...message, ...expectedAnswerOf(value) } : message
}

function readMembers(
  members: MessageMembers,
  text: string | undefined,
  bounds: FrameBounds,
  repeats: boolean,
  frame: string | undefined,
): Message | Unreadable {
  const scanned = text === undefined ? [] : scanMembers(text)
  const texts = text === undefined ? undefined : readTexts(members, text, scanned, repeats)
  const dialect = readDialect(members.jsonrpc)
  const id = readId(members.id, texts?.get('id'), dialect)
  if (id !== undefined && id.length > bounds.idLength) return refuseLongId({ bounds, dialect }, id)
  if (dialect === undefined) {
    const message = `Expected "jsonrpc" to be "2.0" or "3.0", got ${describeVersion(members.jsonrpc)}`
    const refused = refuseFrame('invalid_request', message)
    const answers = members.method === undefined ? id : undefined
    return isAnswer(members) ? { ...refused, answers } : { ...refused, id, answers }
  }
  const whole: Envelope = { dialect, members, texts, frame, id, bounds }
  const repeated = text === undefined ? undefined : refuseRepeated(whole, text, scanned, repeats)
  if (repeated !== undefined) return repeated
  const used = dialect === '2.0' ? usedMembers(members) : members
  return readKind(used === members ? whole : { ...whole, members: used, frame: undefined })
}

/**
 * The members of a message of JSON-RPC 2.0 without those that are null because its kind does not use them: libraries that
 * print every member write `"method":null,"result":{},"error":null`. The same object when there are none of these, and when
 * the message uses none of the three: then its fault can be named.
 */
function usedMembers(members: MessageMembers): MessageMembers {
  if (members.method !== null && members.result !== null && members.error !== null) return members
  const { method, result, error, ...others } = members
  const used = Object.entries({ method, result, error }).filter(([, value]) => value !== undefined && value !== null)
  return used.length === 0 ? members : { ...others, ...Object.fromEntries(used) }
}

/** Reads a message as what its members say that it is. */
function readKind(envelope: Envelope): Message | Unreadable {
  const { dialect, members } = envelope
  if (members.method !== undefined) return readCall(envelope)
  const isV3 = dialect === '3.0'
  if (isV3 && members.ack !== undefined) return readAck(envelope)
  if (isV3 && members.stream !== undefined) return readStream(envelope)
  if (isAnswer(members)) return readResponse(envelope)
  if (isV3 && members.options !== undefined) return readAbort(envelope)
  const expected = isV3 ? '"method", "result", "error", "ack" or "stream"' : '"method", "result" or "error"'
  return refuseEither(envelope, `Expected ${expected}, got none of them`)
}

/** Returns the texts of the members. For an answer with repeated members, they are printed from the parsed value. */
function readTexts(
  { method }: MessageMembers,
  text: string,
  scanned: readonly ScannedMember[],
  repeats: boolean,
): ReadonlyMap<string, string> {
  return repeats && method === undefined
    ? memberTexts(JSON.stringify(parseKeepingNumbers(text)))
    : textsOf(text, scanned)
}

/**
 * Returns whether the sender of unreadable input expects an answer. It does not when the message has no id, or is an ack
 * (3.0 section 5.3). Input that could be any message is answered (2.0 section 7, "rpc call with invalid Request object").
 */
function expectedAnswerOf(members: MessageMembers): Pick<Unreadable, 'silent' | 'notification'> {
  const { id, method, options, ack, stream } = members
  const notification = id === undefined && typeof method === 'string' ? method : undefined
  const isV3 = readDialect(members.jsonrpc) === '3.0'
  const isAck = isV3 && ack !== undefined && method === undefined
  const isPart = isAnswer(members) || (isV3 && method === undefined && (options !== undefined || stream !== undefined))
  return { silent: notification !== undefined || isAck || (id === undefined && isPart), notification }
}

function isAnswer({ method, result, error }: MessageMembers): boolean {
  return method === undefined && (result !== undefined || error !== undefined)
}

function describeVersion(version: JsonValue | undefined): string {
  return typeof version === 'string' && version.length <= 8 ? JSON.stringify(version) : describeJson(version)
}
