import { mediaTypes } from '@junctor/protocol'
import { type Framing, headersOf } from './framing.ts'

const headers = headersOf(mediaTypes.eventStream)

/**
 * Server-sent events as of 2024-11-05 (HTTP+SSE): the first names the URL that the client posts to, each other one is a
 * message. They have no ids: what is lost with the stream is lost.
 */
export function endpointStream(url: string): Framing {
  return {
    headers,
    resumable: false,
    begin: () => `event: endpoint\ndata: ${url}\n\n`,
    message: (text) => `event: message\ndata: ${text}\n\n`,
    keepAlive: () => ': keepalive\n\n',
    comeBack: '',
  }
}
