// The JSON.parse source text access proposal (ECMAScript 2026). Node supports it, but the library types of ES2024 do
// not.
interface JsonWithSource {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
  readonly isRawJSON: (value: unknown) => boolean
}

const json = JSON as unknown as JsonWithSource

/**
 * Parses JSON so that `JSON.stringify` prints every number as it was written. A number that a double would change
 * becomes a raw number: an opaque object. All other values are those of `JSON.parse`.
 */
export function parseKeepingNumbers(text: string): unknown {
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source
      ? json.rawJSON(source)
      : value,
  )
}

/**
 * Whether a value is a raw number of `parseKeepingNumbers`. It looks like an object, but must not be copied like one.
 */
export const isRawNumber: (value: unknown) => boolean = json.isRawJSON
