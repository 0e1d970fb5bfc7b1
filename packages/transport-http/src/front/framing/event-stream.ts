import { mediaTypes } from '@junctor/protocol'
import { type Framing, streamHeaders } from './framing.ts'

/** How long a client waits before it reconnects, in milliseconds: short for a person, long enough for a restart. */
const retryMs = 1_000

/** Server-sent events with ids (Streamable HTTP). Messages have no newline, so each is one line of data. */
export const eventStream: Framing = {
  headers: streamHeaders(mediaTypes.eventStream),
  resumable: true,
  // An event without a message is a place to resume from (2025-11-25, "Sending Messages to the Server"). It names no time to
  // reconnect: the SDK for Java 1.0 to 2.0 takes a line with it for an invalid stream.
  begin: (eventId) => (eventId === undefined ? '' : `id: ${eventId}\ndata: \n\n`),
  // The name is the default, but the SDK for Java 1.0 and 1.1 reads no messages without it on a stream of a GET.
  message: (text, eventId) =>
    eventId === undefined ? `data: ${text}\n\n` : `event: message\nid: ${eventId}\ndata: ${text}\n\n`,
  keepAlive: () => ': keep-alive\n\n',
  comeBack: `retry: ${retryMs}\n\n`,
}
