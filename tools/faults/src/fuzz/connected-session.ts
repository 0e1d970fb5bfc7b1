import type { JsonObject } from '@junctor/jsonrpc'
import { PendingCalls } from '../client/pending-calls.ts'
import { idText } from '../storm/clients/results.ts'
import type { FuzzSession } from './fuzz-ledger.ts'
import { cancelledBy, recordMessage, type OpenSession, type SendOptions } from './open-session.ts'
import { receiveMessage } from './receive-message.ts'
import { answerTimeoutMs, type PostedAt } from './post-at.ts'

/** The connection that is a session. */
export interface SessionWire {
  readonly isOpen: boolean
  send(message: JsonObject): void
  /** Closes it. Resolves when it is closed. */
  close(): Promise<void>
}

const lost: PostedAt = { status: undefined, failure: 'no answer on the connection', session: '' }
const answered: PostedAt = { status: 200, session: '' }

/** A session that is a connection. It has no separate stream: all messages arrive on the connection. */
export class ConnectedSession implements OpenSession {
  readonly session: FuzzSession
  readonly nodes = 1
  readonly #wire: SessionWire
  /** Undefined when the answer did not arrive. */
  readonly #pending = new PendingCalls<JsonObject | undefined>()
  #isLeft = false

  constructor(session: FuzzSession, wire: SessionWire) {
    this.session = session
    this.#wire = wire
  }

  /** Called with each message that arrives. */
  receive(message: JsonObject): void {
    const isAnswer = message['method'] === undefined
    if (!(isAnswer && this.#pending.answer(idText(message['id']), message))) receiveMessage(this, message)
  }

  /** Called when the connection is closed. */
  closed(): void {
    if (!this.#isLeft) this.session.unknown ??= performance.now()
    this.#pending.answerAll(undefined)
  }

  async send(_node: number, message: JsonObject, { onMessage }: SendOptions = {}): Promise<PostedAt> {
    if (!this.#wire.isOpen) return lost
    this.#wire.send({ jsonrpc: '2.0', ...message })
    const cancelled = cancelledBy(message)
    if (cancelled !== undefined) this.#pending.answer(cancelled, undefined)
    if (message['id'] === undefined || message['method'] === undefined) return answered
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
    await this.#wire.close()
    return true
  }
}
