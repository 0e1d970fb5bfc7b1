import { describeJson } from '../json/describe-json.ts'
import type { Envelope } from './envelope.ts'
import type { JsonValue } from '../json/json.ts'
import type { Dialect } from '../message/message.ts'
import type { RequestId } from '../message/request-id.ts'
import type { Unreadable } from '../message/unreadable.ts'

/** Refuses a frame that has no id for an answer, and is not an answer itself. */
export function refuseFrame(situation: Unreadable['situation'], message: string, dialect?: Dialect): Unreadable {
  const unaddressed = { id: undefined, answers: undefined, silent: false, notification: undefined }
  return { kind: 'unreadable', situation, dialect, ...unaddressed, message }
}

/** Refuses a request. The error is sent with its id, if it has one. */
export function refuseRequest({ dialect, id }: Pick<Envelope, 'dialect' | 'id'>, message: string): Unreadable {
  return { ...refuseFrame('invalid_request', message, dialect), id }
}

/**
 * Refuses a message with neither a method nor an outcome: a request without its method, or a response without its result.
 * Which of the two it is depends on who waits: it ends an own request with this id, and is answered like a request.
 */
export function refuseEither(envelope: Pick<Envelope, 'dialect' | 'id'>, message: string): Unreadable {
  return { ...refuseRequest(envelope, message), answers: envelope.id }
}

/** Refuses a message about an own request: its response, or in JSON-RPC 3.0 an ack or a part of its stream. */
export function refuseAnswer(dialect: Dialect, answers: RequestId | undefined, message: string): Unreadable {
  return { ...refuseFrame('invalid_request', message, dialect), answers }
}

/** Describes the fault of an id whose kind is not valid in this dialect. `name` is its position: `id`, `stream.id`. */
export function wrongId(name: string, id: JsonValue | undefined, dialect: Dialect): string {
  const kinds = dialect === '3.0' ? 'a string, a number or null' : 'a string or a number'
  return `Expected "${name}" to be ${kinds}, got ${describeJson(id)}`
}

/** Refuses an id that is too long to be kept in tables. The error does not repeat it. */
export function refuseLongId(
  { bounds, dialect }: Pick<Envelope, 'bounds'> & { readonly dialect: Dialect | undefined },
  id: RequestId,
): Unreadable {
  return refuseFrame('too_large', `Expected an id of at most ${bounds.idLength} characters, got ${id.length}`, dialect)
}
