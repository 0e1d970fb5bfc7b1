import { readDialect, readId, valueOf } from './envelope.ts'
import { defaultFrameBounds, type FrameBounds } from './frame-bounds.ts'
import { scanMembers, textsOf } from '../json/json-scan.ts'
import type { Dialect } from '../message/message.ts'
import type { RequestId } from '../message/request-id.ts'

/** What the start of a frame reveals of its message. */
export interface MessageStart {
  /** The version that it names; for a batch, that of the first message. */
  readonly dialect: Dialect | undefined
  /**
   * Its id, if it is a call. Never the id of an answer: the receiver would take it for the answer to one of its own
   * requests.
   */
  readonly id: RequestId | undefined
}

const nothing: MessageStart = { dialect: undefined, id: undefined }

/** Reads what is possible of a frame that is incomplete or refused. Only complete members are used. Never throws. */
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
    // The text is not JSON, or ends in the middle of a name.
    return nothing
  }
}
