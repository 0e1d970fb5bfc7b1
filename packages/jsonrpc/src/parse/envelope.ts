import type { FrameBounds } from './frame-bounds.ts'
import type { JsonValue } from '../json/json.ts'
import type { Dialect } from '../message/message.ts'
import { requestId, type RequestId } from '../message/request-id.ts'

/** Members of an object that are not checked yet. */
export type UncheckedMembers<Name extends string> = { readonly [member in Name]?: JsonValue | undefined }

/** The members that messages of either dialect can have. */
export type MessageMembers = UncheckedMembers<
  'jsonrpc' | 'id' | 'method' | 'params' | 'options' | 'result' | 'error' | 'ack' | 'stream' | 'data'
>

/** The text of each member of an object, when texts must be kept. */
export type Texts = ReadonlyMap<string, string> | undefined

/** A message of a known dialect that is being parsed. */
export interface Envelope {
  readonly dialect: Dialect
  readonly members: MessageMembers
  readonly texts: Texts
  /** The text of the message, when it is alone in its frame. */
  readonly frame: string | undefined
  /** The id at the root. Undefined when there is none, or when it is not valid for a request of this dialect. */
  readonly id: RequestId | undefined
  readonly bounds: FrameBounds
}

/** Returns the version that a message names, if this package supports it. */
export function readDialect(version: unknown): Dialect | undefined {
  return version === '2.0' || version === '3.0' ? version : undefined
}

/**
 * Returns an id, or undefined when there is none or its kind is not valid for a request. Null is an id only in JSON-RPC
 * 3.0 (section 3.1). `text` is the source text of a number, when texts are kept.
 */
export function readId(id: unknown, text: string | undefined, dialect: Dialect | undefined): RequestId | undefined {
  if (typeof id === 'number') return (text ?? String(id)) as RequestId
  if (id === null && dialect === '3.0') return 'null' as RequestId
  return typeof id === 'string' ? requestId(id) : undefined
}

/** Returns the value of a member whose text is not parsed yet, or undefined without a text. */
export function valueOf(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text)
}
