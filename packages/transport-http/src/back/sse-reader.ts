import { createParser } from 'eventsource-parser'
import { decodeChunk } from './decode-chunk.ts'

/** What a stream of server-sent events brings. */
export interface SseListener {
  /** `type` is `message` when the server named none. */
  event(type: string, data: string): void
  /** The id to resume from, told before the event that has it; also without an event. Empty: there is none any more. */
  id(id: string): void
  /** The pause before a reconnect that the server asks for, in milliseconds. */
  retry(ms: number): void
}

/** Reads one stream of server-sent events. */
export interface SseReader {
  /** Takes the next bytes. Anything but `ok` is the end: the stream cannot be read any further. */
  feed(chunk: Uint8Array): 'ok' | 'too_large' | 'not_utf8'
}

/** A reader that holds at most so many characters of an unfinished event. */
export function createSseReader(listener: SseListener, maxCharacters: number): SseReader {
  let overflowed = false
  let rest: Uint8Array | undefined
  const parser = createParser({
    maxBufferSize: maxCharacters,
    onEvent: ({ event, data }) => listener.event(event ?? 'message', data),
    onId: (id) => listener.id(id),
    onRetry: (ms) => listener.retry(ms),
    onError: ({ type }) => {
      // Lines that mean nothing are to be ignored; only this one ends the stream.
      if (type === 'max-buffer-size-exceeded') overflowed = true
    },
  })
  return {
    feed(chunk) {
      const decoded = decodeChunk(rest === undefined ? chunk : Buffer.concat([rest, chunk]))
      if (decoded === undefined) return 'not_utf8'
      rest = decoded.rest
      parser.feed(decoded.text)
      return overflowed ? 'too_large' : 'ok'
    },
  }
}
