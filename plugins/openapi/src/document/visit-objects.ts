import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/plugin-sdk/link'

/** Calls `each` with every object in a value. YAML can make an object a member of itself: each is visited once. */
export function visitObjects(root: JsonValue, each: (value: JsonObject) => void): void {
  const seen = new Set<JsonValue>()
  const waiting: JsonValue[] = [root]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    if (isJsonObject(value)) each(value)
    waiting.push(...Object.values(value).filter((member) => typeof member === 'object' && member !== null))
  }
}
