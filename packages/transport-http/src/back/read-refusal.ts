import { decodeUtf8, isJsonObject, type JsonValue } from '@junctor/jsonrpc'

const shownCharacters = 200

/**
 * What the body of a refused request says, shortened to one line that can be shown: the message of a JSON-RPC error, of
 * an OAuth error, or plain text. Undefined when there is nothing of that kind; pages of HTML say nothing.
 */
export function readRefusal(body: Uint8Array): string | undefined {
  const text = decodeUtf8(body)?.trim()
  if (text === undefined || text === '' || text.startsWith('<')) return undefined
  const said = text.startsWith('{') || text.startsWith('[') ? messageIn(text) : text
  if (said === undefined) return undefined
  const line = said.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}...` : line
}

function messageIn(text: string): string | undefined {
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
  if (!isJsonObject(value)) return undefined
  const { error, error_description: description, message } = value as Readonly<Record<string, JsonValue | undefined>>
  const candidates = [isJsonObject(error) ? error['message'] : undefined, description, message, error]
  return candidates.find((candidate) => typeof candidate === 'string')
}
