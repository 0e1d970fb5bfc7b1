import type { Receiver, Transport } from '@junctor/contracts'
import { defaultBackLimits } from '../options.ts'
import { connect } from './connect.ts'
import { readTarget } from './read-target.ts'
import type { WebSocketClientOptions } from './web-socket-client-options.ts'
import { WebSocketTransport } from './web-socket-transport.ts'

/** An MCP server over WebSockets. */
export interface WebSocketClient {
  /**
   * Opens a connection. Rejects with `BACKEND_UNREACHABLE`, with `BACKEND_REFUSED` when the server does not answer with
   * a WebSocket, and with the signal's reason.
   *
   * When the connection ends, `closed` resolves with a `BACKEND_EXITED` that has the close code.
   */
  open(receiver: Receiver, signal: AbortSignal): Promise<Transport>
}

/** @throws JunctorError `CONFIG_INVALID` for a URL or header that cannot be used */
export function createWebSocketClient(options: WebSocketClientOptions): WebSocketClient {
  const { url, headers = {}, limits } = options
  const target = readTarget(url, headers)
  const all = { ...defaultBackLimits, ...limits }
  return {
    async open(receiver, signal) {
      const connection = await connect({ ...target, limits: all }, signal)
      return new WebSocketTransport(connection, { ...options, limits: all }, receiver)
    },
  }
}
