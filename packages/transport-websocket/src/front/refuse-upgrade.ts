import type { Duplex } from 'node:stream'
import { headers as names, mediaTypes } from '@junctor/protocol'

// An import of this module would also load Node's client for `fetch`, a tenth of a start.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** Answers an upgrade request with an HTTP error, and closes the connection. */
export function refuseUpgrade(
  socket: Duplex,
  status: number,
  text: string,
  more: Readonly<Record<string, string>> = {},
): void {
  if (!socket.writable) return void socket.destroy()
  const headers = {
    ...more,
    // As over HTTP: a client that is refused temporarily waits at least a second.
    ...(status === 503 && { [names.retryAfter]: '1' }),
    connection: 'close',
    'content-type': mediaTypes.json,
    'content-length': String(Buffer.byteLength(text)),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`)
}
