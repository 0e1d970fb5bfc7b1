import { isRawNumber } from './raw-json.ts'

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
/** A JSON object. Members may be `undefined` in values that are still to be printed; printing omits them. */
export type JsonObject = { readonly [member: string]: JsonValue | undefined }

/** Whether a parsed value is a JSON object: not null, not an array, not a raw number as in `rewrite`. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** The member of a parsed value. Undefined when the value is not an object, or has no such member. */
export function memberOf(value: unknown, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined
}
