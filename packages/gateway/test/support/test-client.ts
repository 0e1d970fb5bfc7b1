import type { Front, Identity, Origin, Session } from '@junctor/contracts'
import type { Sink, SinkOwner } from '@junctor/exchange'
import { type JsonValue, type Message, payloadOf, requestId } from '@junctor/jsonrpc'
import { Waiting } from './waiting.ts'

/** A parsed message. */
interface Seen {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** A sink that keeps its messages, and can be awaited. */
class TestSink implements Sink {
  owner: SinkOwner | undefined
  readonly resumable = true
  readonly seen: Seen[] = []
  /** Event ids in order, including a priming event. */
  readonly eventIds: string[] = []
  status: number | undefined
  ended = false
  readonly #waiting = new Waiting()

  open(eventId?: string): void {
    if (eventId !== undefined) this.eventIds.push(eventId)
  }

  send(text: string, last: boolean, eventId?: string, status?: number): undefined {
    if (this.ended) throw new Error(`a frame after the last: ${text}`)
    if (text !== '') this.seen.push(JSON.parse(text) as Seen)
    if (eventId !== undefined) this.eventIds.push(eventId)
    this.status = status
    this.ended = last
    this.#waiting.look()
  }

  /** The first matching message, now or later. */
  async until(fits: (seen: Seen) => boolean): Promise<Seen> {
    await this.#waiting.until(() => this.seen.some(fits))
    return this.seen.find(fits) as Seen
  }

  /** The answer, when the stream has ended. */
  async answer(): Promise<Seen> {
    await this.#waiting.until(() => this.ended)
    return this.seen.at(-1) ?? {}
  }
}

/** A client of one front, as a transport would connect it. */
export interface TestClient {
  readonly session: Session
  /** The response to `initialize`. */
  readonly opened: Seen
  request(method: string, params?: JsonValue, id?: string | number): TestSink
  notify(method: string, params?: JsonValue): void
  /** Answers a question. */
  respond(id: string, result: JsonValue): void
  /** Reads the session's own stream, or the rest of another. */
  resume(lastEventId?: string): TestSink
  /** The same client on another front. */
  at(front: Front): Promise<TestClient>
}

const defaultParams: JsonValue = {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {}, roots: {} },
  clientInfo: { name: 'test', version: '1' },
}

/** Opens a session over HTTP. Rejects when the gateway refuses it. */
export async function openClient(
  front: Front,
  identity: Identity,
  params: JsonValue = defaultParams,
): Promise<TestClient> {
  const origin: Origin = { transport: 'http', identity, session: undefined, revision: undefined, dialect: '2.0' }
  const sink = new TestSink()
  void front.receive(requestOf('initialize', params, 0), origin, sink)
  const opened = await sink.answer()
  if (origin.session === undefined) throw new Error(`no session: ${JSON.stringify(opened)}`)
  return clientAt(front, identity, origin.session, opened)
}

function requestOf(method: string, params: JsonValue | undefined, id: string | number): Message {
  const payload = params === undefined ? undefined : payloadOf(params)
  return { kind: 'request', dialect: '2.0', id: requestId(id), method, params: payload }
}

function clientAt(front: Front, identity: Identity, session: Session, opened: Seen): TestClient {
  const origin: Origin = { transport: 'http', identity, session, revision: undefined, dialect: '2.0' }
  let ids = 0
  return {
    session,
    opened,
    request(method, params, id) {
      ids += 1
      const sink = new TestSink()
      void front.receive(requestOf(method, params, id ?? ids), origin, sink)
      return sink
    },
    notify(method, params) {
      const payload = params === undefined ? undefined : payloadOf(params)
      void front.receive({ kind: 'notification', dialect: '2.0', method, params: payload }, origin, new TestSink())
    },
    respond(id, result) {
      void front.receive(
        { kind: 'result', dialect: '2.0', id: requestId(id), result: payloadOf(result) },
        origin,
        new TestSink(),
      )
    },
    resume(lastEventId) {
      const sink = new TestSink()
      front.resume(session, lastEventId, sink)
      return sink
    },
    async at(other) {
      const found = await other.session(session.id, identity)
      if (found === undefined) throw new Error('the other node does not know the session')
      return clientAt(other, identity, found, opened)
    },
  }
}
