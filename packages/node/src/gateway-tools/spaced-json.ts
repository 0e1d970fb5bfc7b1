import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'

/**
 * Formats JSON on one line with a space after each comma and colon, because people read it and the document prints it
 * so.
 */
export function spacedJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}: ${spacedJson(member)}`],
  )
  return `{${members.join(', ')}}`
}
