import { type Front, type Identity, type Origin, type Session, silentLog } from '@junctor/contracts'
import type { Sink, SinkOwner } from '@junctor/exchange'
import { ClientConnection } from '@junctor/connection'
import { type JsonObject, parseFrame } from '@junctor/jsonrpc'
import { Waiting } from './waiting.ts'

/** The messages that a client received, in order. */
export class Seen {
  readonly all: JsonObject[] = []
  ended = false
  readonly #waiting = new Waiting()

  add(text: string): void {
    if (text !== '') this.all.push(JSON.parse(text) as JsonObject)
    this.#waiting.look()
  }

  /** The first matching message, now or later. */
  async until(fits: (seen: JsonObject) => boolean): Promise<JsonObject> {
    await this.#waiting.until(() => this.all.some(fits))
    return this.all.find(fits) as JsonObject
  }

  /** All messages, when the stream has ended. */
  async whole(): Promise<readonly JsonObject[]> {
    await this.#waiting.until(() => this.ended)
    return this.all
  }
}

/** A client on a connection that is its session. It writes JSON and receives the answers. */
export interface TestConnection {
  readonly seen: Seen
  readonly connection: ClientConnection
  readonly say: (...frames: readonly (JsonObject | string)[]) => void
}

/** Connects a client that has not sent anything yet: the test says `initialize` itself. */
export function connect(
  front: Front,
  identity: Identity,
  transport: 'stdio' | 'websocket' | 'nats' = 'websocket',
): TestConnection {
  const seen = new Seen()
  const connection = new ClientConnection({
    transport,
    front,
    identity,
    log: silentLog,
    write(text) {
      seen.add(text)
      return undefined
    },
    ready() {},
    ended() {},
  })
  return {
    seen,
    connection,
    say(...frames) {
      for (const frame of frames) connection.take(parseFrame(typeof frame === 'string' ? frame : JSON.stringify(frame)))
    },
  }
}

/** A sink for an answer. */
export interface TestSink extends Sink {
  readonly seen: Seen
  readonly statuses: (number | undefined)[]
  /** Simulates a client that disconnects. */
  lose(): void
}

/** One POST: its answer, and the session that it used or opened. */
export interface TestPost extends TestSink {
  readonly origin: Origin
}

/** Creates a sink that takes every frame at once. Throws at a frame after the last one. */
export function createTestSink(resumable = true): TestSink {
  const seen = new Seen()
  const statuses: (number | undefined)[] = []
  const sink = {
    owner: undefined as SinkOwner | undefined,
    resumable,
    seen,
    statuses,
    open() {},
    send(text: string, last: boolean, _eventId?: string, status?: number): undefined {
      if (seen.ended) throw new Error(`a frame after the last: ${text}`)
      seen.ended = last
      statuses.push(status)
      seen.add(text)
    },
    lose() {
      sink.owner?.lost()
    },
  }
  return sink
}

/**
 * Posts a message. Throws when it is not valid JSON-RPC.
 *
 * @param session of the request; undefined for a request without one
 * @param respondAsync whether it has the header `Prefer: respond-async`
 */
export function post(
  front: Front,
  identity: Identity,
  session: Session | undefined,
  message: JsonObject,
  respondAsync = false,
  resumable = true,
): TestPost {
  const origin: Origin = { transport: 'http', identity, session, revision: undefined, dialect: '2.0', respondAsync }
  const sink = Object.assign(createTestSink(resumable), { origin })
  const frame = parseFrame(JSON.stringify(message))
  if (frame.kind !== 'message') throw new Error(`not a message: ${JSON.stringify(frame)}`)
  void front.receive(frame.message, origin, sink)
  return sink
}

/** A JSON-RPC 3.0 message. */
export const three = (message: JsonObject): JsonObject => ({ jsonrpc: '3.0', ...message })
