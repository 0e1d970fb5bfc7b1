import type { ResponseHeaders } from '../headers/cors.ts'

/**
 * The form of messages on a stream. A message is one line of JSON; each text here is written unchanged, in one piece.
 */
export interface Framing {
  /** The headers of the stream. */
  readonly headers: ResponseHeaders
  /** Whether the stream carries event ids, so that a reader can resume. */
  readonly resumable: boolean
  /** The text before the first message, or empty. With an event id it contains a place to resume from. */
  begin(eventId: string | undefined): string
  message(text: string, eventId: string | undefined): string
  /**
   * The keep-alive of a stream that was silent for a while, or that continues from another place.
   *
   * @param eventId of the last message, or the place from which the stream continues
   */
  keepAlive(eventId: string | undefined): string
  /** The last text of a stream that is ended early: it asks the reader to reconnect. Empty when that is impossible. */
  readonly comeBack: string
}

/** Headers that keep caching, compressing and buffering proxies from delaying a stream. */
export function streamHeaders(mediaType: string): ResponseHeaders {
  return { 'content-type': mediaType, 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' }
}
