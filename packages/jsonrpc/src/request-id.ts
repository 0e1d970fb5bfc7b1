declare const jsonText: unique symbol

/**
 * The id of a request, as its JSON text: `1`, `"1"`, `9007199254740993`, and in JSON-RPC 3.0 also `null`.
 *
 * Text keeps every kind of id exactly (1 and "1" differ, a number that no double can hold survives), is its own map
 * key, is never falsy, and is written to the wire as it is. Strings are in the form that `JSON.stringify` gives, so two
 * spellings of one string are one id.
 */
export type RequestId = string & { readonly [jsonText]: true }

/** The id for a string or number that this program chose. */
export function requestId(value: string | number): RequestId {
  return JSON.stringify(value) as RequestId
}

/** The id as a value. A number beyond 2^53 loses precision here: compare and print ids, do not read them. */
export function requestIdValue(id: RequestId): string | number | null {
  return JSON.parse(id) as string | number | null
}
