declare const jsonText: unique symbol

/**
 * The id of a request, as its JSON text: `1`, `"1"`, `9007199254740993`, and in JSON-RPC 3.0 also `null`.
 *
 * Text keeps every id exactly (1 and "1" differ, a number that exceeds a double is preserved), can be a map key, is
 * never falsy, and is sent unchanged. Strings have the form of `JSON.stringify`, so two spellings of one string are one
 * id.
 */
export type RequestId = string & { readonly [jsonText]: true }

/** Returns the id for a string or number that this program chose. */
export function requestId(value: string | number): RequestId {
  return JSON.stringify(value) as RequestId
}

/**
 * Returns the id as a value. A number above 2^53 loses precision here: compare and print ids, but do not use their
 * values.
 */
export function requestIdValue(id: RequestId): string | number | null {
  return JSON.parse(id) as string | number | null
}

/**
 * Returns the id of an own, numbered request that the id of a response stands for: some servers return 1 as "1" or as
 * 1.0, and the official clients accept both.
 */
export function numberedId(id: RequestId): RequestId {
  if (/^\d+$/.test(id)) return id
  const value = Number(/^"\d+"$/.test(id) ? id.slice(1, -1) : id)
  return Number.isSafeInteger(value) ? (String(value) as RequestId) : id
}
