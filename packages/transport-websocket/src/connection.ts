import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** An open WebSocket, and what it runs on. */
export interface Connection {
  readonly socket: WebSocket
  readonly wire: Duplex
}
