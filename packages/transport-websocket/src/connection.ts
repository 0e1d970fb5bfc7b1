import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** An open WebSocket, and the stream below it. */
export interface Connection {
  readonly socket: WebSocket
  readonly wire: Duplex
}
