import type { JsonObject } from '@junctor/jsonrpc'
import { readEvents } from '@junctor/testkit'
import { PendingCalls } from '../client/pending-calls.ts'
import { idText } from '../storm/clients/results.ts'
import type { FuzzSession } from './fuzz-ledger.ts'
import { type OpenOptions, openings } from './open-http-session.ts'
import {
  cancelledBy,
  createSession,
  initializeAt,
  recordMessage,
  type Opening,
  type OpenSession,
  type SendOptions,
} from './open-session.ts'
import { receiveMessage } from './receive-message.ts'
import { answerTimeoutMs, type PostedAt, postAt } from './post-at.ts'

const lost: PostedAt = { status: undefined, failure: 'no answer on the stream', session: '' }
const answered: PostedAt = { status: 200, session: '' }

/** Opens a session of HTTP+SSE (2024-11-05): a stream with all answers, and a URL for messages, which any node serves. */
export async function openEventSession({ client, kind, node, urls, key }: OpenOptions): Promise<Opening> {
  const began = performance.now()
  const headers = { authorization: `Bearer ${key}` }
  const leaving = new AbortController()
  const response = await fetch(urls[node] ?? '', {
    headers: { ...headers, accept: 'text/event-stream' },
    signal: leaving.signal,
  }).catch(() => undefined)
  if (response?.ok !== true) return { kind: 'refused' }
  const events = readEvents(response)
  const first = await events.next().catch(() => undefined)
  if (first?.value?.name !== 'endpoint') return { kind: 'refused' }
  const endpoint: string = first.value.data
  const session = createSession({ id: endpoint, client, kind, node, began })
  const posts = urls.map((url) => new URL(endpoint, url).href)
  const opened = new EventSession(session, { posts, headers, leaving })
  const reading = opened.read(events)
  return initializeAt(node, opened, openings.events, () => {
    leaving.abort()
    return reading
  })
}

interface EventSessionParts {
  /** Where its messages go, for each node. */
  readonly posts: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  /** Closes its stream. */
  readonly leaving: AbortController
}

/** The stream is the session: it is over when the stream ends. */
class EventSession implements OpenSession {
  readonly session: FuzzSession
  readonly nodes: number
  readonly #parts: EventSessionParts
  /** Undefined when the answer did not arrive. */
  readonly #pending = new PendingCalls<JsonObject | undefined>()

  constructor(session: FuzzSession, parts: EventSessionParts) {
    this.session = session
    this.#parts = parts
    this.nodes = parts.posts.length
  }

  /** Reads the stream to its end. Never rejects. */
  async read(events: ReturnType<typeof readEvents>): Promise<void> {
    try {
      for await (const { data } of events) this.#receive(JSON.parse(data) as JsonObject)
    } catch {
      // The connection was lost.
    }
    if (!this.#parts.leaving.signal.aborted) this.session.unknown ??= performance.now()
    this.#pending.answerAll(undefined)
  }

  async send(node: number, message: JsonObject, { onMessage }: SendOptions = {}): Promise<PostedAt> {
    const id = message['id'] === undefined || message['method'] === undefined ? undefined : idText(message['id'])
    const answer = id === undefined ? undefined : this.#pending.wait(id, answerTimeoutMs, undefined)
    const cancelled = cancelledBy(message)
    if (cancelled !== undefined) this.#pending.answer(cancelled, undefined)
    const { posts, headers } = this.#parts
    const posted = await postAt(posts[node] ?? '', { jsonrpc: '2.0', ...message }, { headers })
    if (posted.status === 404 && this.session.unknown === undefined) {
      this.session.unknown = performance.now()
      this.session.unknownTo = `${id ?? 'a message without an answer'} at node ${node}`
    }
    if (answer === undefined) return posted
    if (posted.status !== 202) {
      this.#pending.answer(idText(id), undefined)
      return posted
    }
    const received = await answer
    if (received === undefined) return lost
    if (onMessage === undefined) recordMessage(this.session, received)
    else onMessage(received)
    return answered
  }

  listen(): void {}

  ensure(): void {}

  async leave(): Promise<void> {}

  end(): Promise<boolean> {
    this.#parts.leaving.abort()
    return Promise.resolve(true)
  }

  #receive(message: JsonObject): void {
    const isAnswer = message['method'] === undefined
    if (!(isAnswer && this.#pending.answer(idText(message['id']), message))) receiveMessage(this, message)
  }
}
