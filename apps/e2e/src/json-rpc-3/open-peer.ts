import {
  createPeer,
  defaultFrameBounds,
  type Message,
  type Notification,
  parseFrame,
  type Peer,
  printMessage,
  type Request,
} from '@junctor/jsonrpc'
import type { TextWire } from './text-wire.ts'

/** A client that speaks JSON-RPC 3.0. */
export interface OpenPeer {
  readonly peer: Peer
  /** The received notifications and requests, in order. */
  readonly received: readonly (Notification | Request)[]
  close(): Promise<void>
}

/** Creates a `Peer` of 3.0 on a wire. */
export function openPeer(wire: TextWire): OpenPeer {
  const received: (Notification | Request)[] = []
  const peer = createPeer({
    dialect: '3.0',
    handler: { request: (request) => void received.push(request), notification: (one) => void received.push(one) },
    send: (message: Message) => wire.send(printMessage(message, { nullId: true })),
  })
  wire.onText((text) => {
    const frame = parseFrame(text, defaultFrameBounds)
    if (frame.kind !== 'message') throw new Error(`Expected one message, got ${text}`)
    return peer.receive(frame.message)
  })
  return {
    peer,
    received,
    async close() {
      peer.close(new Error('The test is over'))
      await wire.close()
    },
  }
}
