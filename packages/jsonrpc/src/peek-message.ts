import { readDialect, readId } from './envelope.ts'
import { defaultFrameBounds, type FrameBounds } from './frame-bounds.ts'
import { scanMembers, textsOf } from './json-scan.ts'
import type { Dialect } from './message.ts'
import type { RequestId } from './request-id.ts'

/** What the start of a frame tells of the message in it. */
export interface MessageStart {
  /** The version that it says it has; of a batch the first message's. */
  readonly dialect: Dialect | undefined
  /** Its id, if it is a call. Of an answer never: who gets it back would take it for the answer to a request of its own. */
  readonly id: RequestId | undefined
}

const nothing: MessageStart = { dialect: undefined, id: undefined }

/**
 * Reads what it can of a frame of which only a start is there, or that is not to be taken. Only members that have come
 * to their end count. Never throws.
 */
export function peekMessage(text: string, { idLength }: FrameBounds = defaultFrameBounds): MessageStart {
  const isBatch = /^\s*\[/.test(text)
  const first = isBatch ? text.slice(text.indexOf('[') + 1) : text
  try {
    const whole = scanMembers(first).filter(({ end }) => end < first.length)
    const texts = textsOf(first, whole)
    const dialect = readDialect(valueOf(texts.get('jsonrpc')))
    if (isBatch || !texts.has('method')) return { dialect, id: undefined }
    const id = readId(valueOf(texts.get('id')), texts.get('id'), dialect)
    return { dialect, id: id !== undefined && id.length <= idLength ? id : undefined }
  } catch {
    // No JSON, or broken off in the middle of a name.
    return nothing
  }
}

function valueOf(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text)
}
