import type { JsonValue } from '@junctor/plugin-sdk/link'

/** A value as one text: what is not a text is JSON. */
export function plainText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
