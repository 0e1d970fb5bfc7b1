import { once } from 'node:events'
import type { JsonObject } from '@junctor/jsonrpc'
import { WebSocket } from 'undici'
import { openSocket } from '../../client/open-socket.ts'
import { PendingCalls } from '../../client/pending-calls.ts'
import type { AttemptOutcome } from '../ledger/outcome.ts'
import { Unanswered } from './fetch-anywhere.ts'
import { outcomeOf } from './http-3-client.ts'

import { initializeMessage } from './raw-session.ts'
import { idText } from './results.ts'
import { type ClientOptions, callTimeoutMs } from './storm-client.ts'

interface SocketSessionListener {
  /** Called with a message that is not the answer to a waiting call. */
  receive(session: SocketSession, message: JsonObject): void
  closed(session: SocketSession): void
}

const silent: AttemptOutcome = { kind: 'silent', what: 'no answer on the socket' }

/** A session that is a WebSocket. */
export class SocketSession {
  readonly #socket: WebSocket
  readonly #pending = new PendingCalls<AttemptOutcome>()

  constructor(socket: WebSocket, listener: SocketSessionListener) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as JsonObject
      const isAnswer =
        message['method'] === undefined && this.#pending.answer(idText(message['id']), outcomeOf(message))
      if (!isAnswer) listener.receive(this, message)
    })
    socket.addEventListener('close', ({ code }) => {
      listener.closed(this)
      this.#pending.answerAll({ kind: 'lost', what: `the socket was closed with ${code}` })
    })
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  send(message: JsonObject): void {
    this.#socket.send(JSON.stringify(message))
  }

  /** Sends a request, and resolves with its outcome. */
  ask(message: JsonObject): Promise<AttemptOutcome> {
    const answered = this.#pending.wait(idText(message['id']), callTimeoutMs, silent)
    this.send(message)
    return answered
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return
    const closed = once(this.#socket, 'close')
    this.#socket.close()
    await closed
  }
}

/** Opens a session at the first gateway that accepts it. Rejects with {@link Unanswered}. */
export async function openSocketSession(
  { anywhere, key, canary }: ClientOptions,
  listener: SocketSessionListener,
): Promise<SocketSession> {
  let socket: WebSocket | undefined
  for (const url of anywhere.urls()) {
    // One gateway after the other.
    // oxlint-disable-next-line no-await-in-loop
    socket ??= await openSocket(url, key)
  }
  if (socket === undefined) throw new Unanswered({ kind: 'refused', what: 'no gateway takes a WebSocket' })
  const session = new SocketSession(socket, listener)
  const opened = await session.ask(initializeMessage(canary))
  if (opened.kind !== 'result') {
    await session.close()
    throw new Unanswered(opened)
  }
  session.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return session
}
