import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import type { Revision } from '../revision.ts'
import { allows } from './gates.ts'

/** Whether a sampling request offers tools to the model or contains tool calls or their results. */
export function usesTools(params: JsonObject): boolean {
  if (params['tools'] !== undefined || params['toolChoice'] !== undefined) return true
  return messagesOf(params).some((message) =>
    blocksOf(message).some((block) => block['type'] === 'tool_use' || block['type'] === 'tool_result'),
  )
}

/** Whether sampling messages contain something that clients of this revision do not support. */
export function needsPlainMessages(params: JsonObject, revision: Revision): boolean {
  const noArrays = !allows(revision, 'samplingContentArrays')
  const noAudio = !allows(revision, 'audio')
  return messagesOf(params).some(
    (message) =>
      (noArrays && Array.isArray(message['content'])) ||
      (noAudio && blocksOf(message).some((block) => block['type'] === 'audio')),
  )
}

/**
 * Converts sampling messages for an older client: one content block per message (a message with several blocks becomes
 * several messages of the same role), and a text note instead of audio, because sampling has no embedded resources.
 */
export function plainMessages(params: JsonObject, revision: Revision): JsonObject {
  const messages = messagesOf(params).flatMap((message): JsonObject[] => {
    const blocks = allows(revision, 'audio') ? blocksOf(message) : blocksOf(message).map(withoutAudio)
    return blocks.map((content) => ({ ...message, content }))
  })
  return { ...params, messages }
}

/**
 * Returns one block for the content of an answer: the only block, or the texts of all blocks joined, or the first
 * block.
 */
export function singleBlock(content: readonly JsonValue[]): JsonValue {
  const blocks = content.filter(isJsonObject)
  const [first = { type: 'text', text: '' }] = blocks
  if (blocks.length < 2 || !blocks.every((block) => block['type'] === 'text')) return first
  const texts = blocks.map((block) => block['text']).filter((text) => typeof text === 'string')
  return { type: 'text', text: texts.join('\n') }
}

function messagesOf(params: JsonObject): readonly JsonObject[] {
  const messages = params['messages']
  return Array.isArray(messages) ? messages.filter(isJsonObject) : []
}

function blocksOf(message: JsonObject): readonly JsonObject[] {
  const content = message['content']
  if (Array.isArray(content)) return content.filter(isJsonObject)
  return isJsonObject(content) ? [content] : []
}

function withoutAudio(block: JsonObject): JsonObject {
  if (block['type'] !== 'audio') return block
  const type = typeof block['mimeType'] === 'string' ? ` of type ${block['mimeType']}` : ''
  return { type: 'text', text: `[audio${type}, which this client cannot take]` }
}
