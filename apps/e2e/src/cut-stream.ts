import { connect } from 'node:net'
import type { JsonObject } from '@junctor/jsonrpc'

/** An event that was received completely. */
export interface WholeEvent {
  readonly id: string
  readonly message: JsonObject
}

/** What a connection received before it was cut or ended. */
export interface CutStream {
  readonly status: number
  readonly events: readonly WholeEvent[]
  /** The id of the last event, including a priming event. */
  readonly lastId: string | undefined
  /** The received text, without the head. */
  readonly body: string
  /** Whether the stream ended before it was cut. */
  readonly ended: boolean
}

interface CutRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Sends a request on a socket of its own, and resets the connection after this many events. Uses HTTP 1.0, so that the
 * body is everything after the head.
 */
export function readUntilCut(url: string, request: CutRequest, cutAfter: number): Promise<CutStream> {
  const { hostname, port, pathname } = new URL(url)
  const { method, body = '' } = request
  const headers = { host: `${hostname}:${port}`, ...request.headers, 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', reject)
    socket.on('data', (some: string) => {
      text += some
      const read = readAnswer(text)
      if (read.events.length < cutAfter) return
      socket.removeAllListeners()
      socket.resetAndDestroy()
      resolve({ ...read, ended: false })
    })
    socket.on('end', () => {
      socket.destroy()
      resolve({ ...readAnswer(text), ended: true })
    })
    socket.write(`${method} ${pathname} HTTP/1.0\r\n${lines.join('')}\r\n${body}`)
  })
}

function readAnswer(text: string): Omit<CutStream, 'ended'> {
  const at = text.indexOf('\r\n\r\n')
  const body = at === -1 ? '' : text.slice(at + 4)
  // The text after the last empty line is an incomplete event.
  const fields = body
    .split('\n\n')
    .slice(0, -1)
    .map(
      (event) => Object.fromEntries(event.split('\n').map((line) => line.split(/: ?(.*)/s))) as Record<string, string>,
    )
  const events = fields.flatMap(({ id, data }): WholeEvent[] => {
    return id === undefined || data === undefined || data === ''
      ? []
      : [{ id, message: JSON.parse(data) as JsonObject }]
  })
  return {
    status: Number(text.slice(9, 12)),
    events,
    lastId: fields.findLast(({ id }) => id !== undefined)?.['id'],
    body,
  }
}
