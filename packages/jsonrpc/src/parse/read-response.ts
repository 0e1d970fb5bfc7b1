import type { Envelope } from './envelope.ts'
import type { Response } from '../message/message.ts'
import { payloadOfParsed } from '../payload/payload.ts'
import { readError } from './read-error.ts'
import { refuseAnswer, wrongId } from './refuse.ts'
import { resultText } from './result-text.ts'
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
