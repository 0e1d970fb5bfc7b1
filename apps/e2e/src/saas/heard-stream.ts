import type { JsonObject } from '@junctor/jsonrpc'
import { rawRequest } from '../raw-request.ts'

/** A message of a stream, and the place after it. */
export interface Heard {
  readonly message: JsonObject
  /** From where a client goes on that has had this message; undefined when the stream tells none. */
  readonly cursor: string | undefined
}

/** A stream of a session of system B, as its bytes come: the client may have had less. */
export interface HeardStream {
  readonly status: number
  readonly heard: readonly Heard[]
  /** Closes the connection. */
  drop(): void
}

/** Opens the stream and reads all that comes, events or lines. A stream of lines tells its places to who asks. */
export async function hearStream(url: string, headers: Readonly<Record<string, string>>): Promise<HeardStream> {
  const answer = await rawRequest(url, { method: 'GET', headers })
  const heard: Heard[] = []
  const isEvents = answer.headers['content-type'] === 'text/event-stream'
  const hear = isEvents ? eventReader(heard) : lineReader(heard)
  let rest = ''
  answer.onText((text) => {
    const pieces = (rest + text).split(isEvents ? '\n\n' : '\n')
    rest = pieces.pop() ?? ''
    for (const piece of pieces) hear(piece)
  })
  return { status: answer.status, heard, drop: () => answer.drop() }
}

function eventReader(heard: Heard[]): (event: string) => void {
  return (event) => {
    const fields = Object.fromEntries(event.split('\n').map((line) => line.split(/: ?(.*)/s))) as Record<string, string>
    if (fields['event'] !== 'message') return
    heard.push({ message: JSON.parse(fields['data'] ?? '') as JsonObject, cursor: fields['id'] })
  }
}

/** Each line but those that tell a place is one further than the line before it. */
function lineReader(heard: Heard[]): (line: string) => void {
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
    heard.push({ message, cursor: place })
  }
}
