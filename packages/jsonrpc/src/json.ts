import { isRawNumber } from './raw-json.ts'

/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject
/** A JSON object. Members may be `undefined` in values that are still to be printed: printing leaves them out. */
export type JsonObject = { readonly [member: string]: JsonValue | undefined }

/** Whether a parsed value is a JSON object: not null, not an array, not one of the raw numbers that `rewrite` shows. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}
