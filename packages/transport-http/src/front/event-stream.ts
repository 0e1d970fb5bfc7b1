import { mediaTypes } from '@junctor/protocol'
import type { ResponseHeaders } from './cors.ts'

/** Headers of every stream. A cache, a compressing proxy or a buffering one would hold events back. */
export const streamHeaders: ResponseHeaders = {
  'content-type': mediaTypes.eventStream,
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** How long a client waits before it comes back for the rest of a stream, in milliseconds: short for a person, long enough for a server that restarts. */
const retryMs = 1_000

/** One event. Frames have no newline, so each is one line of data. */
export function formatEvent(text: string, eventId: string | undefined): string {
  return eventId === undefined ? `data: ${text}\n\n` : `id: ${eventId}\ndata: ${text}\n\n`
}

/** An event without a message: a place to resume from (2025-11-25, "Sending Messages to the Server"). */
export function formatPrimingEvent(eventId: string): string {
  return `id: ${eventId}\nretry: ${retryMs}\ndata: \n\n`
}

/** Asks the client to come back; sent before a stream is ended that has more to say. */
export const comeBack: string = `retry: ${retryMs}\n\n`

export const keepAliveComment: string = ': keep-alive\n\n'
