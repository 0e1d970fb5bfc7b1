import { isJsonObject, knownValue, type Payload } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'

/** The types of content that every client reads, and that have no URI. */
const plain: ReadonlySet<unknown> = new Set(['text', 'image', 'audio'])

/**
 * Whether a result is that of a tool, and has only content that need not be mapped, and no `_meta`. False when that is not known
 * without parsing.
 */
export function hasPlainContent(method: string, result: Payload): boolean {
  const value = method === methods.toolsCall ? knownValue(result) : undefined
  if (value === undefined || !isJsonObject(value)) return false
  const { content, _meta: meta } = value
  if (!Array.isArray(content) || meta !== undefined) return false
  for (const block of content) if (!isJsonObject(block) || !plain.has(block['type'])) return false
  return true
}
