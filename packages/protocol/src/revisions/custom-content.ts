import { isJsonObject, type JsonObject, type JsonValue, knownValue, type Payload, rewrite } from '@junctor/jsonrpc'
import { methods } from '../methods.ts'

/** What types of content begin with that are an author's own, such as `custom/chart`. */
const custom = 'custom/'

/**
 * The result of a tool without content of types that the specification does not have: clients made with the official
 * SDKs refuse a result with one in it. Such a block becomes an embedded resource of its type, whose text is the JSON of
 * what stood in the block. A result without any is returned as it is, and a large one is not parsed for it.
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

/** A content block as every client can take it. `place` tells the blocks of one result apart. */
export function embeddedBlock(block: JsonValue, place: number | string): JsonValue {
  if (!isCustom(block)) return block
  const { type, annotations, _meta, ...said } = block as JsonObject & { readonly type: string }
  const resource = { uri: `attachment://${encodeURI(type)}/${place}`, mimeType: type, text: JSON.stringify(said) }
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

/** A solidus may be written with an escape (RFC 8259 section 7), and so may any letter. */
function mayHaveCustom(payload: Payload): boolean {
  const { text } = payload
  if (text === undefined || knownValue(payload) !== undefined) return true
  return text.includes('"custom/') || text.includes('"custom\\/') || text.includes('\\u')
}
