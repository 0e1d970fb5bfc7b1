import { isJsonObject, type JsonValue } from '../json/json.ts'
import { itemTexts, memberTexts } from '../json/json-scan.ts'
import { payloadFromText, payloadOf, type Payload } from './payload.ts'

/**
 * Returns a member of a payload that is an object, with its exact text if the payload has one. Returns undefined when
 * there is no such member.
 */
export function member(payload: Payload, name: string): Payload | undefined {
  if (payload.text !== undefined) {
    const text = memberTexts(payload.text).get(name)
    return text === undefined ? undefined : payloadFromText(text)
  }
  const value = payload.value()
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined
  const found = value[name]
  return found === undefined ? undefined : payloadOf(found)
}

/**
 * Returns all members of a payload that is an object, as `member` does for one of them. The text is read once, so it is much
 * cheaper than `member` for each name. Returns none when it is not an object.
 */
export function members(payload: Payload): ReadonlyMap<string, Payload> {
  const found = new Map<string, Payload>()
  if (payload.text !== undefined) {
    for (const [name, text] of memberTexts(payload.text)) found.set(name, payloadFromText(text))
    return found
  }
  const value = payload.value()
  if (!isJsonObject(value)) return found
  for (const [name, one] of Object.entries(value)) if (one !== undefined) found.set(name, payloadOf(one))
  return found
}

/**
 * Returns the elements of a payload that is an array, with their exact texts if the payload has one. Returns none when
 * it is not an array.
 */
export function items(payload: Payload): readonly Payload[] {
  if (payload.text !== undefined) return itemTexts(payload.text).map((text) => payloadFromText(text))
  const value = payload.value()
  return Array.isArray(value) ? value.map((item: JsonValue) => payloadOf(item)) : []
}
