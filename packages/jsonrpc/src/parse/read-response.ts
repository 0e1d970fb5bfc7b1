import { closeBrace } from '../json/json-characters.ts'
import type { Envelope, MessageMembers } from './envelope.ts'
import type { Response } from '../message/message.ts'
import type { RequestId } from '../message/request-id.ts'
import { payloadOfParsed } from '../payload/payload.ts'
import { readError } from './read-error.ts'
import { refuseAnswer, wrongId } from './refuse.ts'
import type { Unreadable } from '../message/unreadable.ts'

/** Reads a response with its id at the root (2.0 and 3.0 section 5). */
export function readResponse({ dialect, members, texts, frame, id }: Envelope): Response | Unreadable {
  const { result, error } = members
  if (result !== undefined) {
    if (error !== undefined) return refuseAnswer(dialect, id, 'Expected either "result" or "error", got both')
    if (id === undefined) return refuseAnswer(dialect, undefined, wrongId('id', members.id, dialect))
    const text = texts === undefined && frame !== undefined ? resultText(frame, members, id) : texts?.get('result')
    return { kind: 'result', dialect, id, result: payloadOfParsed(result, text) }
  }
  // A peer that could not read our id sends null, or no id.
  if (id === undefined && members.id !== undefined && members.id !== null) {
    return refuseAnswer(dialect, undefined, wrongId('id', members.id, dialect))
  }
  const read = readError(error, texts?.get('error'), dialect)
  return typeof read === 'string' ? refuseAnswer(dialect, id, read) : { kind: 'error', dialect, id, error: read }
}

const versionAndId = '"jsonrpc":"2.0","id":'
const before = `{${versionAndId}`
const between = ',"result":'
const resultFirst = '{"result":'
const after = `,${versionAndId}`

/**
 * Returns the text of the result in a response that nearly all peers print: `{"jsonrpc":"2.0","id":1,"result":…}`, or the
 * same members with the result first (the TypeScript SDK). With it, a result that is relayed is not printed again.
 * Returns undefined for any other spelling.
 *
 * @param text the frame, in which no object has two members of one name
 * @param members of the message that it was parsed to: with a result, and without a method
 */
function resultText(text: string, members: MessageMembers, id: RequestId): string | undefined {
  const last = text.length - 1
  if (text.charCodeAt(last) !== closeBrace || hasMore(members) || text.includes('\n') || text.includes('\r')) {
    return undefined
  }
  if (text.startsWith(before)) {
    const idEnd = before.length + id.length
    const isUsual = text.startsWith(id, before.length) && text.startsWith(between, idEnd)
    return isUsual ? text.slice(idEnd + between.length, last) : undefined
  }
  const end = last - id.length - after.length
  const isUsual = text.startsWith(resultFirst) && text.startsWith(id, last - id.length) && text.startsWith(after, end)
  return isUsual ? text.slice(resultFirst.length, end) : undefined
}

/** Whether a response has other members than `jsonrpc`, `id` and `result`. */
function hasMore(members: MessageMembers): boolean {
  let count = 0
  for (const _ in members) count++
  return count > 3
}
