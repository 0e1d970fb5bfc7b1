import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'

/** The result of a tool for people: text as it is, and for everything else a line that describes it. */
export function resultText(content: unknown, structured: unknown): string {
  const blocks = Array.isArray(content) ? content.map((block) => blockText(block as JsonValue)) : []
  if (blocks.length > 0) return blocks.join('\n')
  return structured === undefined ? '' : JSON.stringify(structured, null, 2)
}

function blockText(block: JsonValue): string {
  if (!isJsonObject(block)) return JSON.stringify(block)
  const { type, text, data, mimeType, uri, resource } = block
  if (type === 'text' && typeof text === 'string') return text
  if (type === 'resource_link' && typeof uri === 'string') return `[link ${uri}]`
  if (type === 'resource' && isJsonObject(resource)) return resourceText(resource)
  if (typeof type !== 'string' || typeof data !== 'string') return JSON.stringify(block)
  const kind = typeof mimeType === 'string' ? `${type} ${mimeType}` : type
  return `[${kind}, ${Buffer.byteLength(data, 'base64')} bytes]`
}

function resourceText({ text, uri, blob }: JsonObject): string {
  if (typeof text === 'string') return text
  const size = typeof blob === 'string' ? `, ${Buffer.byteLength(blob, 'base64')} bytes` : ''
  return `[resource ${typeof uri === 'string' ? uri : ''}${size}]`
}
