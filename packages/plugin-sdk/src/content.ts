import type { JsonObject } from '@junctor/jsonrpc'

/** The intended audience of a block and its importance (specification: Annotations). */
export interface ContentAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[]
  /** From 0 (optional) to 1 (required). */
  readonly priority?: number
  /** ISO 8601. */
  readonly lastModified?: string
}

interface Annotated {
  readonly annotations?: ContentAnnotations
  readonly _meta?: JsonObject
}

/** Text (specification: TextContent). */
export interface TextContent extends Annotated {
  readonly type: 'text'
  readonly text: string
}

/** A picture (specification: ImageContent). */
export interface ImageContent extends Annotated {
  readonly type: 'image'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** Sound (specification: AudioContent, from 2025-03-26 on). */
export interface AudioContent extends Annotated {
  readonly type: 'audio'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** The contents of a resource, as in `resources/read` and in embedded resources. */
export interface ResourceContents {
  readonly uri: string
  readonly mimeType?: string
  readonly text?: string
  /** Base64, for resources that are not text. */
  readonly blob?: string
  readonly _meta?: JsonObject
}

/** A resource inside a result (specification: EmbeddedResource). */
export interface EmbeddedResource extends Annotated {
  readonly type: 'resource'
  readonly resource: ResourceContents
}

/** A resource that the client may read later (2025-06-18 and later; older clients receive text instead). */
export interface ResourceLink extends Annotated {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
}

/**
 * A content type that the author defines. Clients that know it receive it unchanged, other clients an embedded
 * resource.
 */
export interface CustomContent {
  readonly type: `custom/${string}`
  readonly [member: string]: unknown
}

/** One block of a tool's result. */
export type Content = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink | CustomContent

/** Bytes as base64. Text is returned unchanged: it must be base64 already. */
export function base64(data: Uint8Array | string): string {
  if (typeof data === 'string') return data
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')
}

/** The contents of one resource: text as text, bytes as a blob. */
export function resourceContents(
  uri: string,
  data: Uint8Array | string,
  mimeType: string | undefined,
): ResourceContents {
  return {
    uri,
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(typeof data === 'string' ? { text: data } : { blob: base64(data) }),
  }
}
