import {
  hasUnsafeNumbers,
  type HeldNumber,
  holdsNumber,
  memberOf,
  parseExactly,
  type Payload,
  rawNumbersIn,
} from '@junctor/jsonrpc'
import { jsonPointer, type SchemaProblem } from './schema/schema-problem.ts'

/**
 * The value of a payload with raw numbers where JavaScript would change a number; `undefined`: there are none, as usual.
 * Only a payload that has kept its text can have them.
 */
export function exactValueOf(payload: Payload | undefined): unknown {
  if (payload?.text === undefined || !hasUnsafeNumbers(payload.text)) return undefined
  const value = parseExactly(payload.text)
  return rawNumbersIn(value).next().done === true ? undefined : value
}

/** A member of a payload with raw numbers; `undefined`: JavaScript would change no number of the payload. */
export function exactMember(payload: Payload | undefined, name: string): unknown {
  return memberOf(exactValueOf(payload), name)
}

/**
 * Why numbers cannot be passed on, for the caller who sent them. No backend gets a number that is too large for a double:
 * a schema could not judge it.
 *
 * @param exactNumbers whether the receiver takes numbers that a double would change
 */
export function numberProblems(exact: unknown, exactNumbers: boolean): readonly SchemaProblem[] {
  return [...rawNumbersIn(exact)].flatMap(({ path, text }) => {
    const held = holdsNumber(text)
    if (held.kind === 'held' || (exactNumbers && held.kind === 'changed')) return []
    return [{ path: jsonPointer(path), expected: expectation(text, held), got: {} }]
  })
}

/** The most characters of a number that a message shows. */
const mostCharacters = 40

function expectation(text: string, held: Exclude<HeldNumber, { kind: 'held' }>): string {
  const shown = text.length > mostCharacters ? `a number of ${text.length} characters` : text
  const why = held.kind === 'too_large' ? `${shown} is too large` : `${shown} would become ${held.becomes}`
  return `${why}; send it as a string if a string is accepted there`
}
