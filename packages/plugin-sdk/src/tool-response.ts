import type { JsonObject } from '@junctor/jsonrpc'
import { base64, resourceContents, type Content, type ResourceLink } from './content.ts'

/** The answer of a tool: a `CallToolResult` of the specification. */
export interface ToolResponse {
  /**
   * May be left out with `structuredContent`: then one text block holds the same as JSON, for clients that read only
   * text.
   */
  readonly content?: readonly Content[]
  readonly structuredContent?: object
  /** The tool failed, and the caller may be able to correct the call. */
  readonly isError?: boolean
  readonly _meta?: JsonObject
}

/** An answer of a tool with an `outputSchema`. */
export interface StructuredResponse<Structured extends object> extends ToolResponse {
  readonly structuredContent: Structured
}

/** An answer that explains a failure. Tools with an `outputSchema` may give it, too. */
export interface FailedResponse extends ToolResponse {
  readonly isError: true
}

/** A value that can be converted to blocks of content. Text becomes a text block. */
export type ContentLike = string | Content | ToolResponse

/** An answer in pieces, each of which is sent when the stream yields it. */
export interface StreamedResponse {
  readonly stream: AsyncIterable<ContentLike>
}

/** Converts a value to blocks of content. */
export function toContent(part: ContentLike): readonly Content[] {
  if (typeof part === 'string') return [{ type: 'text', text: part }]
  if ('type' in part) return [part]
  if (part.content !== undefined) return part.content
  return part.structuredContent === undefined ? [] : toContent(JSON.stringify(part.structuredContent))
}

/** Makes the answers of tools. `data` is bytes, or text that is base64 already. */
export const ToolResponse = {
  /** A text. */
  text(text: string): ToolResponse {
    return { content: [{ type: 'text', text }] }
  },

  /** Structured content. Arrays are sent as text alone: the protocol allows only objects as structured content. */
  json<Structured extends object>(structured: Structured): StructuredResponse<Structured> {
    return { structuredContent: structured }
  },

  /** A picture: its bytes, or their base64 text. */
  image(data: Uint8Array | string, mimeType: string): ToolResponse {
    return { content: [{ type: 'image', data: base64(data), mimeType }] }
  },

  /** Sent as audio to clients of 2025-03-26 and later. */
  audio(data: Uint8Array | string, mimeType: string): ToolResponse {
    return { content: [{ type: 'audio', data: base64(data), mimeType }] }
  },

  /** A resource with its contents: text as text, bytes as a blob. */
  resource(uri: string, data: Uint8Array | string, mimeType?: string): ToolResponse {
    return { content: [{ type: 'resource', resource: resourceContents(uri, data, mimeType) }] }
  },

  /** A resource to be read later. */
  resourceLink(link: Omit<ResourceLink, 'type'>): ToolResponse {
    return { content: [{ type: 'resource_link', ...link }] }
  },

  /** Explains a failure to the caller of the tool: a person, or a model that may try again. */
  error(message: string): FailedResponse {
    return { content: [{ type: 'text', text: message }], isError: true }
  },

  /** Several blocks in one answer. */
  of(...parts: readonly ContentLike[]): ToolResponse {
    return { content: parts.flatMap(toContent) }
  },

  /** Pieces that are sent one by one, as fast as the client reads them. */
  stream(source: () => AsyncIterable<ContentLike>): StreamedResponse {
    return { stream: source() }
  },
} as const
