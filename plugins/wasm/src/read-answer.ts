import type { ToolResponse } from '@junctor/plugin-sdk'
import { isJsonObject, type JsonObject, parseExactly } from '@junctor/plugin-sdk/link'

/** What the module says about one of its tools: the component metadata of the profile `ftl`. */
export interface ToolMetadata extends JsonObject {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/**
 * Reads the metadata of a module: of one tool, or a list of several.
 *
 * @throws Error when it is no metadata
 */
export function readMetadata(json: string): readonly ToolMetadata[] {
  const value = parse(json, 'metadata', JSON.parse)
  const tools = Array.isArray(value) ? value : [value]
  if (tools.length === 0) throw new Error('expected metadata of at least one tool, got an empty list')
  return tools.map((tool: unknown) => {
    if (!isJsonObject(tool))
      throw new Error(`expected metadata to be an object or a list of objects, got ${kind(tool)}`)
    const { name, description, inputSchema } = tool
    if (typeof name !== 'string') throw new Error(`expected metadata with a text "name", got ${kind(name)}`)
    if (typeof description !== 'string') {
      throw new Error(`expected metadata of ${name} with a text "description", got ${kind(description)}`)
    }
    if (!isJsonObject(inputSchema)) {
      throw new Error(`expected metadata of ${name} with an object "inputSchema", got ${kind(inputSchema)}`)
    }
    return { ...tool, name, description, inputSchema }
  })
}

/**
 * Reads the answer of a tool.
 *
 * @throws Error when it is no answer
 */
export function readAnswer(json: string): ToolResponse {
  const value = parse(json, 'an answer')
  if (!isJsonObject(value)) throw new Error(`expected an answer to be an object, got ${kind(value)}`)
  const { content, structuredContent } = value
  if (content === undefined && isJsonObject(structuredContent)) return value
  if (!Array.isArray(content)) throw new Error(`expected an answer with a list "content", got ${kind(content)}`)
  const wrong = content.find((block: unknown) => !isBlock(block))
  if (wrong !== undefined) throw new Error(`expected blocks of content with a text "type", got ${kind(wrong)}`)
  return value
}

/**
 * Reads a piece of an answer: a text, or a block of content.
 *
 * @throws Error when it is neither
 */
export function readPiece(json: string): string | JsonObject {
  const value = parse(json, 'a piece')
  if (typeof value === 'string' || isBlock(value)) return value
  throw new Error(`expected a piece to be a text or a block of content, got ${kind(value)}`)
}

function isBlock(value: unknown): value is JsonObject {
  return isJsonObject(value) && typeof value['type'] === 'string'
}

function parse(json: string, what: string, read: (text: string) => unknown = parseExactly): unknown {
  try {
    return read(json)
  } catch {
    throw new Error(`expected ${what} as JSON, got ${json.length} characters of something else`)
  }
}

function kind(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`
}
