import { once } from 'node:events'
import type { JsonObject } from '@junctor/jsonrpc'
import { WebSocket } from 'undici'
import { openSocket } from '../client/open-socket.ts'
import { PendingCalls } from '../client/pending-calls.ts'
import { idText } from '../storm/clients/results.ts'
import type { FuzzSession } from './fuzz-ledger.ts'
import { type OpenOptions, openings } from './open-http-session.ts'
import { recordMessage, type Opening, type OpenSession, type SendOptions } from './open-session.ts'
import { answerTimeoutMs, type PostedAt } from './post-at.ts'

const lost: PostedAt = { status: undefined, failure: 'no answer on the socket', session: '' }
const answered: PostedAt = { status: 200, session: '' }

/** Opens a session that is a WebSocket. */
export async function openSocketSession({ client, kind, node, urls, key }: OpenOptions): Promise<Opening> {
  const began = performance.now()
  const id = `socket-${client}-${Math.round(began)}`
  const socket = await openSocket(urls[node] ?? '', key)
  if (socket === undefined) return { kind: 'refused' }
  const session: FuzzSession = { id, client, kind, node, began, calls: [], cursorless: 0, forgotten: [] }
  const opened = new SocketSession(socket, session)
  let isReady = false
  await opened.send(node, openings.socket, { onMessage: (message) => (isReady = message['result'] !== undefined) })
  if (!isReady) {
    socket.close()
    return { kind: 'refused' }
  }
  await opened.send(node, { method: 'notifications/initialized' })
  return { kind: 'open', opened }
}

/** Has no separate stream: all messages arrive on the socket. */
class SocketSession implements OpenSession {
  readonly session: FuzzSession
  readonly #socket: WebSocket
  /** Undefined when the answer did not arrive. */
  readonly #pending = new PendingCalls<JsonObject | undefined>()
  #isLeft = false

  constructor(socket: WebSocket, session: FuzzSession) {
    this.#socket = socket
    this.session = session
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as JsonObject
      if (message['method'] !== undefined) return
      if (!this.#pending.answer(idText(message['id']), message)) recordMessage(session, message)
    })
    socket.addEventListener('close', () => {
      if (!this.#isLeft) session.unknown ??= performance.now()
      this.#pending.answerAll(undefined)
    })
  }

  async send(_node: number, message: JsonObject, { onMessage }: SendOptions = {}): Promise<PostedAt> {
    if (this.#socket.readyState !== WebSocket.OPEN) return lost
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
    if (message['id'] === undefined) return answered
    const answer = await this.#pending.wait(idText(message['id']), answerTimeoutMs, undefined)
    if (answer === undefined) return lost
    if (onMessage === undefined) recordMessage(this.session, answer)
    else onMessage(answer)
    return answered
  }

  listen(): void {}

  ensure(): void {}

  async leave(): Promise<void> {}

  async end(): Promise<boolean> {
    this.#isLeft = true
    if (this.#socket.readyState === WebSocket.CLOSED) return true
    const closed = once(this.#socket, 'close')
    this.#socket.close()
    await closed
    return true
  }
}
