import type { JsonObject } from '@junctor/jsonrpc'
import { rawRequest } from '../raw-request.ts'

/** A message of a stream, with the position after it. */
export interface ReceivedMessage {
  readonly message: JsonObject
  /**
   * The position from which a client that has received this message continues. Undefined: the stream has no positions.
   */
  readonly cursor: string | undefined
}

/** A stream of a session of the profile `saas`, with everything that arrived: a client may have processed less. */
export interface ReceivedStream {
  readonly status: number
  readonly received: readonly ReceivedMessage[]
  /** Closes the connection. */
  drop(): void
}

/**
 * Opens the stream and reads everything, events or lines. A stream of lines sends positions when the client asks for
 * them.
 */
export async function readReceivedStream(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<ReceivedStream> {
  const answer = await rawRequest(url, { method: 'GET', headers })
  const received: ReceivedMessage[] = []
  const isEvents = answer.headers['content-type'] === 'text/event-stream'
  const read = isEvents ? eventReader(received) : lineReader(received)
  let rest = ''
  answer.onText((text) => {
    const pieces = (rest + text).split(isEvents ? '\n\n' : '\n')
    rest = pieces.pop() ?? ''
    for (const piece of pieces) read(piece)
  })
  return { status: answer.status, received, drop: () => answer.drop() }
}

function eventReader(received: ReceivedMessage[]): (event: string) => void {
  return (event) => {
    const fields = Object.fromEntries(event.split('\n').map((line) => line.split(/: ?(.*)/s))) as Record<string, string>
    if (fields['event'] !== 'message') return
    received.push({ message: JSON.parse(fields['data'] ?? '') as JsonObject, cursor: fields['id'] })
  }
}

/** Each line is one position after the previous line, except lines that set the position. */
function lineReader(received: ReceivedMessage[]): (line: string) => void {
  let place: string | undefined
  return (line) => {
    if (line === '') return
    const message = JSON.parse(line) as JsonObject
    if (message['method'] === 'notifications/connection' || message['method'] === 'notifications/ping') {
      place = (message['params'] as { cursor?: string }).cursor
      return
    }
    const [stream = '', n = ''] = place?.split(':') ?? []
    place = place === undefined ? undefined : `${stream}:${Number(n) + 1}`
    received.push({ message, cursor: place })
  }
}
