import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createLineSplitter } from '../servers/line-splitter.ts'
import type { Encode } from './calls.ts'
import { openHttpLanes } from './http-lane.ts'
import type { LaneAnswer, Lane, LaneListener } from './lane.ts'
import { type Endpoint, encodeGet, encodePost, openHttpSession } from './sessions.ts'
import { idOf } from './stdio-lanes.ts'

/**
 * A connection whose requests are accepted on it, and answered on the session's stream. A request is done after both.
 */
class QueuedLane implements Lane, LaneListener {
  listener: LaneListener | undefined = undefined
  readonly #posts: Lane
  readonly #stream: Socket
  #accepted = false
  #answer: LaneAnswer | undefined

  constructor(posts: Lane, stream: Socket) {
    this.#posts = posts
    this.#stream = stream
    posts.listener = this
  }

  send(request: Uint8Array): void {
    this.#posts.send(request)
  }

  /** Called with the answer to the POST itself. */
  answered({ status, body }: LaneAnswer): void {
    if (status !== 202 || body !== '{"status":"queued"}') return this.failed(`expected "queued", got ${status} ${body}`)
    this.#accepted = true
    this.#settle()
  }

  /** Called with an answer on the stream. */
  delivered(answer: LaneAnswer): void {
    this.#answer = answer
    this.#settle()
  }

  failed(reason: string): void {
    this.listener?.failed(reason)
  }

  close(): void {
    this.listener = undefined
    this.#posts.close()
    this.#stream.destroy()
  }

  #settle(): void {
    const answer = this.#answer
    if (!this.#accepted || answer === undefined) return
    this.#accepted = false
    this.#answer = undefined
    this.listener?.answered(answer)
  }
}

/**
 * Lanes of one session, whose stream is closed with the first of them. The id of an answer identifies its lane: ids
 * begin with the lane's number times `callsPerLane`.
 */
export async function openQueuedLanes(
  endpoint: Endpoint,
  count: number,
  callsPerLane: number,
): Promise<{ readonly lanes: readonly Lane[]; readonly encode: Encode }> {
  const posts = await openHttpLanes(endpoint.port, count)
  const [first] = posts
  if (first === undefined) throw new RangeError('there are no lanes')
  const session = await openHttpSession(first, endpoint)
  const stream = connect({ port: endpoint.port, host: '127.0.0.1' })
  await once(stream, 'connect')
  const lanes = posts.map((lane) => new QueuedLane(lane, stream))
  // Each message is a line in its own chunk: lines of headers and chunk sizes do not begin like messages.
  const split = createLineSplitter()
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    for (const body of split(chunk)) {
      if (body.startsWith('{"jsonrpc":"2.0","id":')) lanes[Math.floor(idOf(body) / callsPerLane)]?.delivered({ body })
    }
  })
  stream.on('error', (error) => {
    for (const lane of lanes) lane.failed(error.message)
  })
  stream.write(encodeGet(endpoint, session))
  return { lanes, encode: encodePost(endpoint, session) }
}
