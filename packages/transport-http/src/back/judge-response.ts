import type { IncomingHttpHeaders } from 'node:http'
import { headers as names, mediaTypes } from '@junctor/protocol'

/** The kind of body that the status and headers of an HTTP response announce. */
export type Verdict =
  /** One JSON text. */
  | { readonly kind: 'json' }
  /** Server-sent events. */
  | { readonly kind: 'events' }
  /** Success without a body to read. */
  | { readonly kind: 'accepted' }
  /** A success status with a body of an unsupported type. */
  | { readonly kind: 'unusable'; readonly what: string }
  /** Not a success; a body may explain it. Redirects too: following one would send credentials to another server. */
  | { readonly kind: 'refused' }

/** Classifies a response by its status and headers alone. */
export function judgeResponse(status: number, headers: IncomingHttpHeaders): Verdict {
  if (status < 200 || status > 299) return { kind: 'refused' }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return {
      kind: 'unusable',
      what: `expected a body without content encoding, or with one of gzip, deflate, br and zstd, got ${JSON.stringify(encoding)}`,
    }
  }
  const type = mediaType(headers[names.contentType])
  if (type === mediaTypes.eventStream) return { kind: 'events' }
  if (status === 202 || status === 204 || headers['content-length'] === '0') return { kind: 'accepted' }
  if (type === mediaTypes.json) return { kind: 'json' }
  const came = type === undefined ? 'none' : JSON.stringify(type)
  return {
    kind: 'unusable',
    what: `expected the content type ${mediaTypes.json} or ${mediaTypes.eventStream}, got ${came}`,
  }
}

/** A media type without parameters, in lower case; the first one where a server or proxy has sent several. */
function mediaType(value: string | undefined): string | undefined {
  return value?.split(/[;,]/, 1)[0]?.trim().toLowerCase()
}
