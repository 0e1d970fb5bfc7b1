import type { Redact } from '@junctor/primitives'
import { decodeUtf8, isJsonObject, memberOf, parseJson } from '@junctor/jsonrpc'

const shownCharacters = 200

/**
 * The explanation in the body of a refused request, shortened to one printable line: the message of a JSON-RPC error,
 * of an OAuth error, or plain text. Undefined when the body has none of these, such as an HTML page.
 */
export function readRefusal(body: Uint8Array, hide: Redact): string | undefined {
  const text = decodeUtf8(body)?.trim()
  if (text === undefined || text === '' || text.startsWith('<')) return undefined
  const explanation = text.startsWith('{') || text.startsWith('[') ? messageIn(text) : text
  if (explanation === undefined) return undefined
  const line = hide(explanation)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}...` : line
}

function messageIn(text: string): string | undefined {
  const value = parseJson(text)
  if (!isJsonObject(value)) return undefined
  const { error, error_description: description, message } = value
  const candidates = [memberOf(error, 'message'), description, message, error]
  return candidates.find((candidate) => typeof candidate === 'string')
}
