import type { JsonValue } from './json.ts'

// The JSON.parse source text access proposal (ECMAScript 2026): Node has it, the library types of ES2024 do not.
interface JsonWithSource {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  rawJSON(text: string): JsonValue
}

const json = JSON as unknown as JsonWithSource

/**
 * Parses JSON so that `JSON.stringify` gives every number back as it was written. A number that a double would change
 * becomes an opaque object (`JSON.isRawJSON`); all other values are what `JSON.parse` makes of them.
 */
export function parseKeepingNumbers(text: string): JsonValue {
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source
      ? json.rawJSON(source)
      : value,
  ) as JsonValue
}
