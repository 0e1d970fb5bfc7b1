import { mediaTypes } from '@junctor/protocol'
import { type Framing, streamHeaders } from './framing.ts'

const headers = streamHeaders(mediaTypes.eventStream)

/**
 * Server-sent events as of 2024-11-05 (HTTP+SSE): the first event names the URL to post to, every other one is a
 * message. Messages have ids, to resume from; the first event has none, so that a client keeps its last id.
 */
export function endpointStream(url: string): Framing {
  return {
    headers,
    resumable: true,
    begin: () => `event: endpoint\ndata: ${url}\n\n`,
    message: (text, eventId) => `${eventId === undefined ? '' : `id: ${eventId}\n`}event: message\ndata: ${text}\n\n`,
    keepAlive: () => ': keepalive\n\n',
    comeBack: '',
  }
}
