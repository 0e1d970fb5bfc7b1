import { isJsonObject, type JsonObject } from '@junctor/plugin-sdk/link'

/** Parses a JSON text. `undefined`: it is not JSON, or not an object. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
