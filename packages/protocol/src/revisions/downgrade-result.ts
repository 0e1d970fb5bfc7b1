import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  parseJson,
  type Payload,
  rewrite,
} from '@junctor/jsonrpc'
import { methods } from '../methods.ts'
import type { Revision } from '../revision.ts'
import { fitBlock, isForeignBlock } from './content-block.ts'
import { allows } from './gates.ts'
import { sameJson } from './same-json.ts'

/**
 * Converts the result of a client's request for a client of an older revision. Only parts that such a client would fail
 * on are changed. Unknown members stay, because the schema of every revision allows them. Results for 2025-06-18 and
 * newer of older servers are returned unchanged and unparsed. URIs must already be those that the client sees.
 *
 * @param from the revision of the server
 */
export function downgradeResult(method: string, result: Payload, revision: Revision, from: Revision): Payload {
  if (method === methods.toolsCall) return downgradeToolResult(result, revision, from)
  if (method === methods.promptsGet && !allows(revision, 'resourceLinks')) return downgradePrompt(result, revision)
  return result
}

function downgradeToolResult(result: Payload, revision: Revision, from: Revision): Payload {
  if (allows(revision, 'structuredContent')) {
    const mayBeOdd = allows(from, 'anyStructuredContent') && !allows(revision, 'anyStructuredContent')
    return mayBeOdd && hasOddStructure(result) ? structuredAsText(result) : result
  }
  const plain = structuredAsText(result)
  const value = plain.value()
  const isForeign = (block: JsonValue): boolean => isForeignBlock(block, revision)
  if (!isJsonObject(value) || !listOf(value['content']).some(isForeign)) return plain
  return rewrite(plain, (copy) => {
    const fitted = copy as JsonObject
    return { ...fitted, content: listOf(fitted['content']).map((block, place) => fitBlock(block, revision, place)) }
  })
}

const oddStructure = /"structuredContent"\s*:\s*[^{\s]/

/** Whether the structured content is no object, as it is in every revision before 2026-07-28. */
function hasOddStructure(result: Payload): boolean {
  if (result.text !== undefined && !oddStructure.test(result.text)) return false
  const content = memberOf(result.value(), 'structuredContent')
  return content !== undefined && !isJsonObject(content)
}

/** Removes structured content from a tool result. It becomes a text block, unless a text block already contains it. */
export function structuredAsText(result: Payload): Payload {
  const value = result.value()
  if (!isJsonObject(value) || value['structuredContent'] === undefined) return result
  return rewrite(result, (copy) => {
    const { structuredContent, ...rest } = copy as JsonObject
    return { ...rest, content: withMirror(listOf(rest['content']), structuredContent) }
  })
}

/** Adds a text block with the structured content, unless a block already contains it. */
function withMirror(content: readonly JsonValue[], structured: JsonValue | undefined): readonly JsonValue[] {
  if (structured === undefined || structured === null) return content
  const text = JSON.stringify(structured)
  const parsed = parseJson(text)
  if (content.some((block) => holdsJson(block, parsed))) return content
  return [...content, { type: 'text', text }]
}

function downgradePrompt(result: Payload, revision: Revision): Payload {
  const value = result.value()
  const isForeign = (message: JsonValue): boolean =>
    isJsonObject(message) && isForeignBlock(message['content'], revision)
  if (!isJsonObject(value) || !listOf(value['messages']).some(isForeign)) return result
  return rewrite(result, (copy) => {
    const prompt = copy as JsonObject
    const messages = listOf(prompt['messages']).map((message, place) =>
      isJsonObject(message) && message['content'] !== undefined
        ? { ...message, content: fitBlock(message['content'], revision, place) }
        : message,
    )
    return { ...prompt, messages }
  })
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

/** Whether the text of a content block is this JSON value. */
function holdsJson(block: JsonValue, value: JsonValue | undefined): boolean {
  return isJsonObject(block) && typeof block['text'] === 'string' && sameJson(parseJson(block['text']), value)
}
