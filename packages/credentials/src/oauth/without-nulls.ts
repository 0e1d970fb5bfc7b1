import { isJsonObject, parseJson } from '@junctor/jsonrpc'

/**
 * An answer without its members that are `null`. Many servers write `null` for what they do not have, where RFC 6749 (section
 * 5.1), RFC 7591 and RFC 8414 leave the member out. Anything but a JSON object stays as it is.
 */
export function withoutNulls(text: string): string {
  if (!text.includes('null')) return text
  const value = parseJson(text)
  if (!isJsonObject(value)) return text
  return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)))
}
