import { isJsonObject, type JsonObject, type JsonValue, knownValue, type Payload, rewrite } from '@junctor/jsonrpc'
import { methods } from '../methods.ts'

/** The beginning of custom content types, such as `custom/chart`. */
const custom = 'custom/'

/**
 * Returns a tool result without content types that the specification does not define, because clients made with the
 * official SDKs refuse a result that has one. A block of a custom type becomes an embedded resource of that type, whose
 * text is the JSON of the block. A result without such blocks is returned unchanged, and a large one is not parsed for
 * this check.
 */
export function embedCustom(method: string, result: Payload): Payload {
  if (method !== methods.toolsCall || !mayHaveCustom(result)) return result
  const value = result.value()
  if (!isJsonObject(value) || !Array.isArray(value['content']) || !value['content'].some(isCustom)) return result
  return rewrite(result, (copy) => {
    const whole = copy as JsonObject
    return { ...whole, content: (whole['content'] as readonly JsonValue[]).map(embeddedBlock) }
  })
}

/**
 * Converts a content block into one that every client accepts.
 *
 * @param place distinguishes the blocks of one result
 */
export function embeddedBlock(block: JsonValue, place: number | string): JsonValue {
  if (!isCustom(block)) return block
  const { type, annotations, _meta, ...body } = block as JsonObject & { readonly type: string }
  const resource = {
    uri: `attachment://${encodeURI(type.toWellFormed())}/${place}`,
    mimeType: type,
    text: JSON.stringify(body),
  }
  return {
    type: 'resource',
    resource,
    ...(annotations !== undefined && { annotations }),
    ...(_meta !== undefined && { _meta }),
  }
}

function isCustom(block: JsonValue): boolean {
  return isJsonObject(block) && typeof block['type'] === 'string' && block['type'].startsWith(custom)
}

/** JSON may escape a solidus (RFC 8259 section 7), and any letter. */
function mayHaveCustom(payload: Payload): boolean {
  const { text } = payload
  if (text === undefined || knownValue(payload) !== undefined) return true
  return text.includes('"custom/') || text.includes('"custom\\/') || text.includes('\\u')
}
