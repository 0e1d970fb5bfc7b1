import {
  type HeldNumber,
  holdsNumber,
  isJsonObject,
  type JsonObject,
  parseExactly,
  printPayload,
  type Payload,
  rawNumbersIn,
} from '@junctor/jsonrpc'
import { jsonPointer, type SchemaProblem } from './schema/schema-problem.ts'

/**
 * The value of a payload with raw numbers where JavaScript would change a number; `undefined`: there are none, as usual.
 * Only a payload that has kept its text can have them.
 */
export function exactValueOf(payload: Payload | undefined): unknown {
  if (payload?.text === undefined) return undefined
  const value = parseExactly(printPayload(payload))
  return rawNumbersIn(value).next().done === true ? undefined : value
}

/** The exact arguments of `tools/call` params; `undefined`: they have no numbers that JavaScript would change. */
export function exactArguments(params: Payload | undefined): JsonObject | undefined {
  const value = exactValueOf(params)
  const given = isJsonObject(value) ? value['arguments'] : undefined
  return isJsonObject(given) ? given : undefined
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
