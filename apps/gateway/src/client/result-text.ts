import { isJsonObject, type JsonValue } from '@junctor/jsonrpc'

/** What a tool answered, for people: text as it is, everything else in a line that says what it is. */
export function resultText(content: unknown, structured: unknown): string {
  const blocks = Array.isArray(content) ? content.map((block) => blockText(block as JsonValue)) : []
  if (blocks.length > 0) return blocks.join('\n')
  return structured === undefined ? '' : JSON.stringify(structured, null, 2)
}

function blockText(block: JsonValue): string {
  if (!isJsonObject(block)) return JSON.stringify(block)
  const { type, text, data, mimeType, uri, resource } = block
  if (type === 'text' && typeof text === 'string') return text
  if (type === 'resource_link') return `[link ${String(uri)}]`
  if (type === 'resource' && isJsonObject(resource)) {
    const { text: held, uri: at } = resource
    return typeof held === 'string' ? held : `[resource ${String(at)}]`
  }
  if (typeof data === 'string')
    return `[${String(type)} ${String(mimeType)}, ${Buffer.byteLength(data, 'base64')} bytes]`
  return JSON.stringify(block)
}
