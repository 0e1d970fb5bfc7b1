import type { IncomingMessage } from 'node:http'

/** Why a body cannot be read as the sender meant it. */
export interface FramingRefusal {
  readonly status: number
  readonly message: string
}

/**
 * Judges how the length of a body is declared. Chunks are the only coding that is understood (501), and HTTP/1.0 has none:
 * a reader of 1.0 finds the end of the request at another byte (RFC 9112 section 6.1).
 */
export function judgeFraming({
  httpVersionMinor,
  headers,
}: Pick<IncomingMessage, 'httpVersionMinor' | 'headers'>): FramingRefusal | undefined {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  if (httpVersionMinor === 0) return { status: 400, message: 'Transfer-Encoding is not for HTTP/1.0' }
  if (coding.toLowerCase() === 'chunked') return undefined
  return { status: 501, message: 'Transfer-Encoding must be chunked, without another coding' }
}
