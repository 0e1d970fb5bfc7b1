import { isJsonObject, type JsonObject, type JsonValue, type Payload, rewrite } from '@junctor/jsonrpc'
import { methods } from '../methods.ts'
import { isAtLeast, type Revision } from '../revision.ts'
import { fitBlock, isForeignBlock } from './content-block.ts'
import { allows } from './gates.ts'
import { sameJson } from './same-json.ts'

/**
 * The result of a client's request as a client of an older revision can take it. Only what such a client would fail on
 * is changed; members that it merely does not know stay, as every revision's schema lets them. Results for 2025-06-18
 * and newer are returned as they are, unread. URIs must already be the ones that the client sees.
 */
export function downgradeResult(method: string, result: Payload, revision: Revision): Payload {
  if (isAtLeast(revision, '2025-06-18')) return result
  if (method === methods.toolsCall) return downgradeToolResult(result, revision)
  if (method === methods.promptsGet) return downgradePrompt(result, revision)
  return result
}

function downgradeToolResult(result: Payload, revision: Revision): Payload {
  const value = result.value()
  if (!isJsonObject(value)) return result
  const isForeign = value['structuredContent'] !== undefined && !allows(revision, 'structuredContent')
  if (!isForeign && !listOf(value['content']).some((block) => isForeignBlock(block, revision))) return result
  return rewrite(result, (copy) => {
    const { structuredContent, ...rest } = copy as JsonObject
    const content = listOf(rest['content']).map((block, place) => fitBlock(block, revision, place))
    return { ...rest, content: withMirror(content, structuredContent) }
  })
}

/** The content with a text block that holds the structured content, which is the only place left for it. */
function withMirror(content: readonly JsonValue[], structured: JsonValue | undefined): readonly JsonValue[] {
  if (structured === undefined) return content
  const text = JSON.stringify(structured)
  const parsed = parseJson(text)
  if (content.some((block) => isJsonObject(block) && sameJson(parseJson(block['text']), parsed))) return content
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

function parseJson(text: unknown): JsonValue | undefined {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
