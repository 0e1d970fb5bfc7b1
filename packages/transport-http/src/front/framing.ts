import type { ResponseHeaders } from './cors.ts'

/** How messages stand on a stream. A message is one line of JSON; each text here is written as it is, in one piece. */
export interface Framing {
  /** Headers of the stream. */
  readonly headers: ResponseHeaders
  /** Whether event ids are told, so that a reader can come back for the rest. */
  readonly resumable: boolean
  /** What comes before the first message; empty when there is nothing. With an event id: a place to resume from. */
  begin(eventId: string | undefined): string
  message(text: string, eventId: string | undefined): string
  /**
   * A sign of life on a stream that was silent for a while, or that goes on from another place than it was.
   *
   * @param eventId of the last message, or the place from which the stream goes on
   */
  keepAlive(eventId: string | undefined): string
  /** Said before a stream is ended that has more to say: the reader is to come back. Empty when it cannot. */
  readonly comeBack: string
}

/** Headers that keep proxies from holding a stream back: a cache, a compressing one or a buffering one would. */
export function headersOf(mediaType: string): ResponseHeaders {
  return { 'content-type': mediaType, 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }
}
