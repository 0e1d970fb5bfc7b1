import { hasUnsafeNumbers } from './has-unsafe-numbers.ts'
import { isSameNumber } from './same-number.ts'

// The JSON.parse source text access proposal (ECMAScript 2026). Node supports it, but the library types of ES2024 do
// not.
interface JsonWithSource {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
  readonly isRawJSON: (value: unknown) => boolean
}

const json = JSON as unknown as JsonWithSource

/**
 * Parses JSON so that `JSON.stringify` prints every number as it was written. A number that a double would change, in
 * value or only in spelling, becomes a raw number: an opaque object. All other values are those of `JSON.parse`.
 */
export function parseKeepingNumbers(text: string): unknown {
  return parseWithRaw(text, (value, source) => JSON.stringify(value) === source)
}

/**
 * Parses JSON so that `JSON.stringify` prints every number as the same number. One that would become another number, as
 * 9007199254740993 and 1e400 do, becomes a raw number: an opaque object. `1.0` and `1e2` are 1 and 100, as in `JSON.parse`.
 *
 * @throws SyntaxError when the text is not JSON
 */
export function parseExactly(text: string): unknown {
  return hasUnsafeNumbers(text)
    ? parseWithRaw(text, (value, source) => isSameNumber(source, String(value)))
    : JSON.parse(text)
}

/** Parses JSON with a raw number for each one whose double is not exact. */
function parseWithRaw(text: string, isExact: (value: number, source: string) => boolean): unknown {
  return json.parse(text, (_key, value, { source }) =>
    typeof value !== 'number' || source === undefined || isExact(value, source) ? value : json.rawJSON(source),
  )
}

/**
 * Whether a value is a raw number of `parseExactly` or `rewrite`. It looks like an object, but must not be copied like
 * one. `JSON.stringify` prints its digits.
 */
export const isRawNumber: (value: unknown) => boolean = json.isRawJSON

/** A raw number in a value. */
interface RawNumber {
  /** The steps from the value to the number: names of members and positions in lists. */
  readonly path: readonly (string | number)[]
  readonly text: string
}

/** Finds the raw numbers in a value, in their order. */
export function* rawNumbersIn(value: unknown, path: readonly (string | number)[] = []): Generator<RawNumber, void> {
  if (typeof value !== 'object' || value === null) return
  if (isRawNumber(value)) {
    yield { path, text: JSON.stringify(value) }
    return
  }
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [step, member] of entries) yield* rawNumbersIn(member, [...path, step])
}

/** The value with doubles instead of raw numbers: what `JSON.parse` would give. */
export function withDoubles(value: unknown): unknown {
  return rawNumbersIn(value).next().done === true ? value : JSON.parse(JSON.stringify(value))
}
