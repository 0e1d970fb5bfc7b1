import type { JsonObject, JsonValue } from '@junctor/jsonrpc'
import type { FrameLog } from './frame-log.ts'
import type { Peer } from './peer.ts'

/** The operations that differ between transports. */
export interface PeerWire {
  readonly transport: Peer['transport']
  readonly log: FrameLog
  send(frame: string | Uint8Array): Promise<number>
  close(): Promise<void>
}

/**
 * Adds to a wire what all transports do in the same way: requests with ids of their own, and waiting for messages.
 * Closing the peer closes the wire.
 */
export function createPeer(wire: PeerWire): Peer {
  const { transport, log } = wire
  let ids = 0
  return {
    transport,
    frames: log.frames,
    send: (frame) => wire.send(frame),
    until: (what, fits) => log.until(what, fits),
    async request(method: string, params?: JsonObject, id: JsonValue = `own ${(ids += 1)}`) {
      const answered = log.until(
        `an answer to ${method}`,
        (message) => message['id'] === id && message['method'] === undefined,
      )
      await wire.send(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) }))
      return answered
    },
    notify: (method, params) => wire.send(JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) })),
    messages: () => log.messages,
    close: () => wire.close(),
  }
}

/** The revision that peers use. */
export const revision = '2025-11-25'

/** Opens a session. */
export async function openSession(peer: Peer, name: string = 'peer', asked: string = revision): Promise<JsonObject> {
  const params = { protocolVersion: asked, capabilities: {}, clientInfo: { name, version: '1' } }
  const opened = await peer.request('initialize', params, 'open')
  if (opened['error'] !== undefined) throw new Error(`Expected a session, got ${JSON.stringify(opened['error'])}`)
  await peer.notify('notifications/initialized')
  return opened
}
