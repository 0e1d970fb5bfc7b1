import { createPeer } from './create-peer.ts'
import { createFrameLog } from './frame-log.ts'
import { HttpRequests } from './http-requests.ts'
import type { Peer } from './peer.ts'

/** A peer that also gives access to HTTP. */
export interface HttpPeer extends Peer {
  /** The session id in the answer to `initialize`. */
  readonly session: string | undefined
  /** Opens the session's own stream, or resumes one; resolves with the status. */
  listen(lastEventId?: string): Promise<number>
  /** The headers of the last answer. */
  readonly headers: Readonly<Record<string, unknown>>
  /** Keep-alive comments received. */
  readonly comments: number
  /** Ends the session. */
  end(): Promise<number>
}

/** Opens no connection before the first request. Connections belong to the peer, and are closed with it. */
export function createHttpPeer(url: string, always: Readonly<Record<string, string>> = {}): HttpPeer {
  const log = createFrameLog()
  const requests = new HttpRequests(url, always, (frame) => log.add(frame))
  const peer = createPeer({
    transport: 'http',
    log,
    send: (frame) => requests.send('POST', {}, frame),
    close: () => requests.close(),
  })
  return {
    ...peer,
    listen: (lastEventId) => requests.send('GET', lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    end: () => requests.send('DELETE'),
    get session() {
      return requests.session
    },
    get headers() {
      return requests.headers
    },
    get comments() {
      return requests.reader.comments
    },
  }
}
