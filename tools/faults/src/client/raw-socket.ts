import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

/** A raw TCP connection: it can send half a request, and need not read. */
export interface RawSocket {
  readonly socket: Socket
  /** The data that were read so far. */
  received(): string
  write(text: string): void
  /** Resolves when the other side has closed the connection, or it broke. */
  readonly closed: Promise<void>
}

/** Connects to the host and port of a URL. */
export async function openSocket(url: string): Promise<RawSocket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => (received += text))
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  return { socket, received: () => received, write: (text) => void socket.write(text), closed }
}

/** An HTTP request as text. A body gets its length. */
export function requestText(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): string {
  const { host, pathname } = new URL(url)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}
