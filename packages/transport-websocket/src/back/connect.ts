import type { Duplex } from 'node:stream'
import { JunctorError } from '@junctor/protocol'
import { WebSocket } from 'ws'
import type { Connection } from '../connection.ts'
import type { WebSocketLimits } from '../options.ts'
import { subprotocol } from '../subprotocol.ts'

/** The server, headers besides those of WebSocket, and the limits of the connection. */
export interface ConnectOptions {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly limits: Pick<WebSocketLimits, 'body' | 'closeMs'>
}

/** How long a server may take to accept a connection, in milliseconds: the request timeout of MCP's SDKs. */
const handshakeTimeoutMs = 60_000

/**
 * Connects to a server with the subprotocol `mcp`, or with none when the server selects none. Rejects with
 * `BACKEND_UNREACHABLE`, `BACKEND_REFUSED` or the signal's reason; no connection is left open then.
 */
export function connect(options: ConnectOptions, signal: AbortSignal): Promise<Connection> {
  signal.throwIfAborted()
  return offer([subprotocol], options, signal)
}

function offer(subprotocols: string[], options: ConnectOptions, signal: AbortSignal): Promise<Connection> {
  const { url, headers, limits } = options
  const settings = {
    headers: { ...headers },
    perMessageDeflate: false,
    maxPayload: limits.body,
    handshakeTimeout: handshakeTimeoutMs,
    closeTimeout: limits.closeMs,
  }
  const socket = new WebSocket(url, subprotocols, settings)
  const { promise, resolve, reject } = Promise.withResolvers<Connection>()
  let wire: Duplex | undefined
  const give = (error: Error): void => {
    reject(error)
    socket.terminate()
  }
  const abort = (): void => give(signal.reason as Error)
  signal.addEventListener('abort', abort)
  let isNoneSelected = false
  socket.once('upgrade', (response) => {
    wire = response.socket
    isNoneSelected = subprotocols.length > 0 && response.headers['sec-websocket-protocol'] === undefined
  })
  socket.once('open', () => {
    // Early messages wait until a reader is attached.
    socket.pause()
    if (wire !== undefined) resolve({ socket, wire })
  })
  socket.once('unexpected-response', (request, { statusCode = 0 }) => {
    request.destroy()
    give(new JunctorError('BACKEND_REFUSED', `Expected a WebSocket, got HTTP ${statusCode}`))
  })
  socket.on('error', (cause) => {
    // The library takes this for an error; the standard does not (RFC 6455 section 4.1).
    if (isNoneSelected && !signal.aborted) resolve(offer([], options, signal))
    give(new JunctorError('BACKEND_UNREACHABLE', `Could not connect to ${url.origin}`, { cause }))
  })
  return promise.finally(() => signal.removeEventListener('abort', abort))
}
