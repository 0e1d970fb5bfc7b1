import { createParser } from 'eventsource-parser'
import { decodeChunk } from './decode-chunk.ts'
import { type OverlongEvent, OverlongEvents } from './overlong-events.ts'

/** Receives the parts of a stream of server-sent events. */
export interface SseListener {
  /** `type` is `message` when the server sent none. */
  event(type: string, data: string): void
  /** The id to resume from. Called before the event with this id, or without an event. Empty: the id was reset. */
  id(id: string): void
  /** The reconnection delay that the server specifies, in milliseconds. */
  retry(ms: number): void
  /**
   * Called instead of `event` for one that is too long, when it has ended. Absent: such an event ends the stream, because
   * all events of the stream are of one request.
   */
  readonly overlong?: ((event: OverlongEvent) => void) | undefined
}

/** Parses one stream of server-sent events. */
export interface SseReader {
  /** Parses the next bytes. After any result but `ok` the stream cannot be read further. */
  feed(chunk: Uint8Array): 'ok' | 'too_large' | 'not_utf8'
}

/** Creates a reader that buffers at most `maxCharacters` characters of an unfinished event. */
export function createSseReader(listener: SseListener, maxCharacters: number): SseReader {
  let overflowed = false
  let rest: Uint8Array | undefined
  const parser = createParser({
    onEvent: ({ event, data }) => listener.event(event ?? 'message', data),
    onId: (id) => listener.id(id),
    onRetry: (ms) => listener.retry(ms),
  })
  // The parser counts only the values of lines: empty ones would take far more memory than they count.
  const events = new OverlongEvents(maxCharacters, {
    text: (text) => parser.feed(text),
    cut() {
      if (listener.overlong === undefined) overflowed = true
      else parser.reset()
    },
    overlong: (event) => listener.overlong?.(event),
  })
  return {
    feed(chunk) {
      const decoded = decodeChunk(rest === undefined ? chunk : Buffer.concat([rest, chunk]))
      if (decoded === undefined) return 'not_utf8'
      rest = decoded.rest
      events.push(decoded.text)
      return overflowed ? 'too_large' : 'ok'
    },
  }
}
