import type { Log, Receiver, Tell, Transport } from '@junctor/exchange'
import { headers as names, JunctorError } from '@junctor/protocol'
import { defaultBackLimits, type WebSocketLimits } from '../options.ts'
import { connect } from './connect.ts'
import { WebSocketTransport } from './web-socket-transport.ts'

export interface WebSocketClientOptions {
  /** The backend's name: in logs and errors. */
  readonly backend: string
  /** The server's endpoint, `ws:` or `wss:`. Redirects are not followed. */
  readonly url: string
  /** Sent when a connection is opened: credentials and what else the server wants. Nothing of a client's is ever sent. */
  readonly headers?: Readonly<Record<string, string>>
  /** What differs from `defaultBackLimits`. */
  readonly limits?: Partial<WebSocketLimits>
  readonly log: Log
  /** Told of what the server sent that is no message. */
  readonly tell: Tell
}

/** An MCP server to be reached over WebSockets. */
export interface WebSocketClient {
  /**
   * Opens a connection. Rejects with `BACKEND_UNREACHABLE`, with `BACKEND_REFUSED` when the server answers with anything
   * but a WebSocket that speaks `mcp`, and with the signal's reason.
   *
   * When the connection ends, `closed` resolves with a `BACKEND_EXITED` that has the close code.
   */
  open(receiver: Receiver, signal: AbortSignal): Promise<Transport>
}

/** @throws JunctorError `CONFIG_INVALID` for a URL or header that cannot be used */
export function createWebSocketClient(options: WebSocketClientOptions): WebSocketClient {
  const { url, headers = {}, limits } = options
  const target = readUrl(url)
  const sent = readHeaders(headers)
  const all = { ...defaultBackLimits, ...limits }
  return {
    async open(receiver, signal) {
      const connection = await connect({ url: target, headers: sent, limits: all }, signal)
      return new WebSocketTransport(connection, { ...options, limits: all }, receiver)
    },
  }
}

function readUrl(url: string): URL {
  const parsed = URL.parse(url)
  if (parsed === null || (parsed.protocol !== 'ws:' && parsed.protocol !== 'wss:')) {
    throw new JunctorError('CONFIG_INVALID', 'Expected an absolute URL with ws or wss, got something else')
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new JunctorError('CONFIG_INVALID', 'Expected a URL without credentials: put them into a header')
  }
  parsed.hash = ''
  return parsed
}

/** Headers that are the protocol's or the connection's: a configured one would break either. */
const reserved = new RegExp(`^(?:${names.host}|connection|upgrade|sec-websocket-.*|content-length|transfer-encoding)$`)

function readHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    if (reserved.test(name.toLowerCase())) {
      throw new JunctorError('CONFIG_INVALID', `The header ${name} is set by the protocol and cannot be configured`)
    }
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name) || /[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) {
      throw new JunctorError(
        'CONFIG_INVALID',
        `The header ${JSON.stringify(name)} has characters that HTTP does not allow`,
      )
    }
  }
  return { 'user-agent': 'junctor', ...headers }
}
