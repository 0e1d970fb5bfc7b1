import { describeJson } from './describe-json.ts'
import type { Envelope } from './envelope.ts'
import type { JsonValue } from './json.ts'
import type { Dialect } from './message.ts'
import type { RequestId } from './request-id.ts'
import type { Unreadable } from './unreadable.ts'

/** Refuses what is no message that anybody waits for an answer to, or that is the answer to anything. */
export function refuseFrame(situation: Unreadable['situation'], message: string, dialect?: Dialect): Unreadable {
  const nobody = { id: undefined, answers: undefined, silent: false, notification: undefined }
  return { kind: 'unreadable', situation, dialect, ...nobody, message }
}

/** Refuses a request: it is to be answered under its id, if it has one. */
export function refuseRequest({ dialect, id }: Pick<Envelope, 'dialect' | 'id'>, message: string): Unreadable {
  return { ...refuseFrame('invalid_request', message, dialect), id }
}

/** Refuses what says something of an own request: its response, or in JSON-RPC 3.0 an ack or a part of its stream. */
export function refuseAnswer(dialect: Dialect, answers: RequestId | undefined, message: string): Unreadable {
  return { ...refuseFrame('invalid_request', message, dialect), answers }
}

/** What is wrong with an id of a kind that is none in this dialect. `name` says where it stands: `id`, `stream.id`. */
export function wrongId(name: string, id: JsonValue | undefined, dialect: Dialect): string {
  const kinds = dialect === '3.0' ? 'a string, a number or null' : 'a string or a number'
  return `Expected "${name}" to be ${kinds}, got ${describeJson(id)}`
}

/** Refuses an id that is too long to be kept in tables. It is not repeated. */
export function refuseLongId(
  { bounds, dialect }: Pick<Envelope, 'bounds'> & { readonly dialect: Dialect | undefined },
  id: RequestId,
): Unreadable {
  return refuseFrame('too_large', `Expected an id of at most ${bounds.idLength} characters, got ${id.length}`, dialect)
}
