import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import type { Revision } from '../revision.ts'
import { allows } from './gates.ts'

/** Whether clients of this revision do not know the type of a content block. */
export function isForeignBlock(block: JsonValue | undefined, revision: Revision): boolean {
  if (!isJsonObject(block)) return false
  if (block['type'] === 'audio') return !allows(revision, 'audio')
  return block['type'] === 'resource_link' && !allows(revision, 'resourceLinks')
}

/**
 * Converts a content block of a tool result or prompt for clients of this revision: audio becomes an embedded resource,
 * a link to a resource becomes text. Other blocks stay unchanged.
 *
 * @param place distinguishes the blocks of one result
 */
export function fitBlock(block: JsonValue, revision: Revision, place: number | string): JsonValue {
  if (!isJsonObject(block) || !isForeignBlock(block, revision)) return block
  return block['type'] === 'audio' ? embeddedAudio(block, place) : linkAsText(block)
}

function embeddedAudio({ data, mimeType, annotations, _meta }: JsonObject, place: number | string): JsonObject {
  return {
    type: 'resource',
    resource: { uri: `attachment://audio/${place}`, mimeType, blob: data },
    annotations,
    _meta,
  }
}

function linkAsText({ uri, name, title, description, annotations, _meta }: JsonObject): JsonObject {
  const label = [title, name].find(isText)
  const lines = [[label, uri].filter(isText).join(': '), description].filter(isText)
  return { type: 'text', text: lines.join('\n'), annotations, _meta }
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== ''
}
