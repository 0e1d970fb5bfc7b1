import { isJsonObject, parseJson, withoutNulls } from '@junctor/jsonrpc'

/**
 * The text of an answer without what is `null` in it. Many servers print `null` for what they do not have, where RFC 6749
 * (section 5.1), RFC 7517, RFC 7591 and RFC 8414 leave the member out. Anything but a JSON object stays as it is.
 */
export function textWithoutNulls(text: string): string {
  if (!text.includes('null')) return text
  const value = parseJson(text)
  return isJsonObject(value) ? JSON.stringify(withoutNulls(value)) : text
}
