import type { Envelope } from './envelope.ts'
import type { ScannedMember } from '../json/json-scan.ts'
import { refuseAnswer, refuseRequest } from './refuse.ts'
import { repeatsNames } from '../json/repeats-names.ts'
import type { Unreadable } from '../message/unreadable.ts'

/**
 * Refuses a message with two members of one name, and a call with such an object anywhere in it; returns undefined when
 * there is nothing to refuse. A repeated id is treated as absent, because its owner cannot be known. `repeats` reports
 * that such an object may be somewhere in the text.
 */
export function refuseRepeated(
  envelope: Envelope,
  text: string,
  scanned: readonly ScannedMember[],
  repeats: boolean,
): Unreadable | undefined {
  const { members, texts, dialect } = envelope
  const isCall = members.method !== undefined
  if (scanned.length > (texts?.size ?? 0)) {
    const id = scanned.filter(({ name }) => name === 'id').length > 1 ? undefined : envelope.id
    const message = 'Expected each member of a message once, got two of one name'
    return isCall ? refuseRequest({ dialect, id }, message) : refuseAnswer(dialect, id, message)
  }
  return isCall && repeats && repeatsNames(text, members)
    ? refuseRequest(envelope, 'Expected each member of an object once, got two of one name inside the message')
    : undefined
}
