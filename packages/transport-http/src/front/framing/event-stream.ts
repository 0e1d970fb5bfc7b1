import { mediaTypes } from '@junctor/protocol'
import { type Framing, streamHeaders } from './framing.ts'

/** How long a client waits before it reconnects, in milliseconds: short for a person, long enough for a restart. */
const retryMs = 1_000

/** Server-sent events with ids (Streamable HTTP). Messages have no newline, so each is one line of data. */
export const eventStream: Framing = {
  headers: streamHeaders(mediaTypes.eventStream),
  resumable: true,
  // An event without a message is a place to resume from (2025-11-25, "Sending Messages to the Server").
  begin: (eventId) => (eventId === undefined ? '' : `id: ${eventId}\nretry: ${retryMs}\ndata: \n\n`),
  // The name is the default, but the SDK for Java 1.0 and 1.1 reads no messages without it on a stream of a GET.
  message: (text, eventId) =>
    eventId === undefined ? `data: ${text}\n\n` : `event: message\nid: ${eventId}\ndata: ${text}\n\n`,
  keepAlive: () => ': keep-alive\n\n',
  comeBack: `retry: ${retryMs}\n\n`,
}

/** The same without the time to wait before reconnecting, for clients that take a line with it for an invalid stream. */
export const eventStreamWithoutRetry: Framing = {
  ...eventStream,
  begin: (eventId) => (eventId === undefined ? '' : `id: ${eventId}\ndata: \n\n`),
  comeBack: '',
}

/**
 * Whether a client reads `retry`. The SDK for Java 1.0 to 2.0 does not: an answer that comes as a stream with such a line
 * fails. It uses the client of Java's own library, and other SDKs wait for a second anyway.
 */
export function readsRetry(userAgent: string | undefined): boolean {
  return userAgent?.startsWith('Java-http-client/') !== true
}
