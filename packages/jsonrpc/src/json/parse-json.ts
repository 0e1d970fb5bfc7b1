import type { JsonValue } from './json.ts'

/** The value of a JSON text. Undefined: it is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
