import type { FrameBounds } from './frame-bounds.ts'
import type { JsonValue } from './json.ts'
import type { Dialect } from './message.ts'
import { requestId, type RequestId } from './request-id.ts'

/** Members of an object that are still to be checked. */
export type Members<Name extends string> = { readonly [member in Name]?: JsonValue | undefined }

/** The members that messages of either dialect can have. */
export type MessageMembers = Members<
  'jsonrpc' | 'id' | 'method' | 'params' | 'options' | 'result' | 'error' | 'ack' | 'stream' | 'data'
>

/** The text of each member of an object, when texts are to be kept. */
export type Texts = ReadonlyMap<string, string> | undefined

/** A message of a known dialect that is being read. */
export interface Envelope {
  readonly dialect: Dialect
  readonly members: MessageMembers
  readonly texts: Texts
  /** The id at the root. Undefined when there is none, or one that no request of this dialect can have. */
  readonly id: RequestId | undefined
  readonly bounds: FrameBounds
}

/** The version that a message says it has, if it is one that this package reads. */
export function readDialect(version: unknown): Dialect | undefined {
  return version === '2.0' || version === '3.0' ? version : undefined
}

/**
 * An id, or undefined when there is none or it is of a kind that no request can have. Null is an id in JSON-RPC 3.0
 * alone (section 3.1). `text` is what a number was parsed from, when texts are kept.
 */
export function readId(id: unknown, text: string | undefined, dialect: Dialect | undefined): RequestId | undefined {
  if (typeof id === 'number') return (text ?? String(id)) as RequestId
  if (id === null && dialect === '3.0') return 'null' as RequestId
  return typeof id === 'string' ? requestId(id) : undefined
}
