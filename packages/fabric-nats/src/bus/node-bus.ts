import type { ErrorReporter, Log } from '@junctor/contracts'
import { settlesWithin } from '@junctor/primitives'
import { createNodeName } from '@junctor/fabric'
import { headersOf, LastingSubscription, type Subjects } from '@junctor/nats'
import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { batchMessages, type OutgoingMessage, subjectsOfBundle, unbatchMessages } from './batch-messages.ts'
import type { ClusterKey } from '../seal/cluster-key.ts'
import type { ConnectionState } from './connection-state.ts'
import type { ForeignMessages } from './foreign-messages.ts'
import { Inboxes } from './inboxes.ts'
import { isLarge, PacedMessages, type PacedWay } from './paced-messages.ts'
import { Seal, sealBytes } from '../seal/seal.ts'
import { UnsentMessages } from './unsent-messages.ts'

/** Receives the messages to one inbox of this node. */
export interface InboxReceiver {
  /** @param reply the subject for an answer; empty when none is expected */
  receive(body: Uint8Array, reply: string): void
  /** Called when the server reports no subscriber for a message that had this inbox as its reply. */
  noSubscriber(): void
}

/** The connection of a node to core NATS, and the keys of its cluster. */
export interface NodeBusParts {
  readonly connection: NatsConnection
  readonly state: ConnectionState
  readonly log: Log
  /** The first key seals, all keys open. */
  readonly keys: readonly ClusterKey[]
  /** Called for messages that are dropped because of their seal. */
  readonly foreign: ForeignMessages
  /** Called with exceptions while the messages of a turn are sent. */
  readonly reportError: ErrorReporter
}

const nothing = new Uint8Array()

/** The default of {@link NodeBus.partBytes}, 128 KiB. */
const mostPartBytes = 131_072

type InboxListener = (body: Uint8Array, reply: string, subject: string) => void

/**
 * Sends and receives a node's messages on core NATS, until `close`. Everything is sealed; invalid and repeated messages
 * are dropped.
 */
export class NodeBus {
  readonly node: string
  /** Differs for each start of a node with this name: late messages for its predecessor are not for this one. */
  readonly incarnation: string = createNodeName()
  readonly subjects: Subjects
  readonly #connection: NatsConnection
  readonly #seal: Seal
  readonly #log: Log
  readonly #foreign: ForeignMessages
  readonly #reportError: ErrorReporter
  readonly #receivers: Inboxes<InboxReceiver>
  readonly #inbox: string
  readonly #subscriptions = new Set<LastingSubscription>()
  readonly #state: ConnectionState
  readonly #unsent = new UnsentMessages()
  readonly #stop: () => void
  /** The large messages to each node, while there are some. */
  readonly #paced = new Map<string, PacedMessages>()
  #isClosing = false
  /** The messages of this turn of the event loop. */
  #turn: OutgoingMessage[] = []

  constructor(node: string, { connection, state, log, reportError, keys, foreign }: NodeBusParts, subjects: Subjects) {
    this.node = node
    this.#receivers = new Inboxes(this.incarnation)
    this.subjects = subjects
    this.#connection = connection
    this.#state = state
    this.#stop = state.onReconnect(() => this.#catchUp())
    this.#seal = new Seal(keys, this.incarnation)
    this.#foreign = foreign
    this.#log = log
    this.#reportError = reportError
    // `<root>.node.<node>.in.`, followed by the name of a receiver.
    this.#inbox = subjects.inbox(node, '').slice(0, -1)
    this.#subscriptions.add(
      new LastingSubscription({
        connection,
        subject: subjects.inbox(node),
        receive: (message) => this.#onMessage(message),
      }),
    )
  }

  /** The largest body of one message, in bytes. */
  get bodyBytes(): number {
    return this.#state.maxPayload - sealBytes
  }

  /** The largest body of a part of a frame, in bytes: others are sent between two parts. */
  get partBytes(): number {
    return Math.min(this.bodyBytes, mostPartBytes)
  }

  /**
   * Sends without waiting; the messages of one turn of the event loop are sent together. While the connection is lost
   * for a moment, messages are sent when it is back. Large messages to a node are sent as its link carries them, and
   * others of their subject after them. Returns false when the connection is closed.
   */
  publish(subject: string, body: Uint8Array, reply = ''): boolean {
    if (this.#connection.isClosed() || this.#connection.isDraining()) return false
    const message = { subject, reply, body }
    const paced = this.#pacedTo(message)
    if (paced === undefined) this.#sendInTurn(message)
    else paced.add(message)
    return true
  }

  readonly #sendInTurn = (message: OutgoingMessage): void => {
    if (this.#turn.length === 0) setImmediate(this.#sendTurn)
    this.#turn.push(message)
  }

  /** The large messages that a message is one of; undefined when it is sent in this turn. */
  #pacedTo(message: OutgoingMessage): PacedMessages | undefined {
    if (this.#isClosing || (this.#paced.size === 0 && !isLarge(message))) return undefined
    const { subject } = message
    const { nodes } = this.subjects
    if (!subject.startsWith(nodes)) return undefined
    const node = subject.slice(nodes.length, subject.indexOf('.', nodes.length))
    const known = this.#paced.get(node)
    if (!isLarge(message)) return known?.hasWaiting(subject) === true ? known : undefined
    const paced = known ?? new PacedMessages(node, this.#pacedWay)
    this.#paced.set(node, paced)
    return paced
  }

  readonly #pacedWay: PacedWay = {
    send: this.#sendInTurn,
    ask: (node, confirmed) => {
      const forget = (): void => this.forget(token)
      const settle = (): void => {
        forget()
        confirmed()
      }
      const token = this.expect({ receive: settle, noSubscriber: settle })
      this.#sendInTurn({ subject: this.subjects.node(node, 'probe'), reply: this.inbox(token), body: nothing })
      return forget
    },
    idle: (node) => void this.#paced.delete(node),
  }

  /** Sends the messages of a turn in one write: a write costs more than the rest of the work for a small message. */
  readonly #sendTurn = (): void => {
    const turn = this.#turn
    this.#turn = []
    for (const { subject, reply, body } of batchMessages(turn, this.subjects.nodes, this.bodyBytes)) {
      this.#send({ subject, reply, body: this.#seal.close(subject, reply, body) })
    }
  }

  /** Sends one message. An exception does not affect the others of its turn. */
  #send(sealed: OutgoingMessage): void {
    const { subject, reply, body } = sealed
    try {
      if (this.#state.isConnected) this.#connection.publish(subject, body, reply === '' ? {} : { reply })
      else this.#unsent.add(sealed)
    } catch (error) {
      this.#reportError('message', error, { subject, reply })
    }
  }

  /**
   * Subscribes until `close`.
   *
   * @param listener called with the body of each message, the subject for its answer (empty: none is expected), and its
   * subject
   * @param group the queue group, in which each message is delivered to one member
   */
  listen(subject: string, listener: InboxListener, group?: string): LastingSubscription {
    const subscription = new LastingSubscription({
      connection: this.#connection,
      subject,
      queue: group,
      receive: (message) => this.#deliver(message, listener),
    })
    this.#subscriptions.add(subscription)
    return subscription
  }

  /** Ends a subscription after the messages in transit, so that their senders get answers. */
  async drain(subscription: LastingSubscription): Promise<void> {
    this.#subscriptions.delete(subscription)
    await settled(subscription.drain())
  }

  /** Opens an inbox under a name that was never used before, until `forget`. */
  expect(receiver: InboxReceiver): string {
    return this.#receivers.add(receiver)
  }

  forget(token: string): void {
    this.#receivers.remove(token)
  }

  /** The subject of an inbox of this node. */
  inbox(token: string): string {
    return this.#inbox + token
  }

  /** The number of the last message from an incarnation of a node: it grows with each message that arrives. */
  countFrom(incarnation: string): number {
    return this.#seal.highest(incarnation)
  }

  /** Whether a node of this name answers. A node that cannot be asked counts as absent. */
  async isTaken(node: string): Promise<boolean> {
    const subject = this.subjects.node(node, 'probe')
    const reply = createInbox()
    try {
      const message = this.#seal.close(subject, reply, nothing)
      await this.#connection.request(subject, message, { noMux: true, reply, timeout: timeoutMs })
      return true
    } catch {
      return false
    }
  }

  /** Sends what waits, and from now on every message at once: this node is about to leave. */
  hurry(): void {
    this.#isClosing = true
    for (const paced of this.#paced.values()) paced.close()
  }

  /** Stops receiving. */
  close(): void {
    this.hurry()
    this.#stop()
    this.#sendTurn()
    for (const subscription of this.#subscriptions) subscription.unsubscribe()
    this.#subscriptions.clear()
  }

  /** Resolves when the server has received all messages and subscriptions; soon also when it is lost. */
  async flush(): Promise<void> {
    this.#sendTurn()
    if (!this.#connection.isClosed()) await settled(this.#connection.flush())
  }

  #catchUp(): void {
    for (const unsent of this.#unsent.take()) this.#send(unsent)
    for (const paced of this.#paced.values()) paced.reset()
  }

  /** Called with a message to an inbox. */
  #onMessage(message: Msg): void {
    if (message.data.length === 0 && headersOf(message)?.code === 503) {
      for (const inbox of subjectsOfBundle(message.subject)) this.#noSubscriber(inbox)
      return
    }
    this.#deliver(message, this.#receive)
  }

  #noSubscriber(inbox: string): void {
    try {
      this.#receiverOf(inbox)?.noSubscriber()
    } catch (error) {
      this.#reportError('message', error, { subject: inbox })
    }
  }

  readonly #receive = (body: Uint8Array, reply: string, inbox: string): void => {
    const receiver = this.#receiverOf(inbox)
    if (receiver !== undefined) receiver.receive(body, reply)
    // A sender that still assumes a call here learns that there is none.
    else if (reply !== '') this.publish(reply, nothing)
  }

  #receiverOf(inbox: string): InboxReceiver | undefined {
    return this.#receivers.get(inbox.slice(this.#inbox.length))
  }

  #deliver({ subject, reply = '', data }: Msg, listener: InboxListener): void {
    for (const message of this.#opened(subject, reply, data)) {
      try {
        listener(message.body, message.reply, message.subject)
      } catch (error) {
        // For example from a node of another version. The connection must survive it.
        this.#reportError('message', error, { subject })
      }
    }
  }

  /** The messages in a message; empty when it is not of this cluster, or cannot be parsed. */
  #opened(subject: string, reply: string, data: Uint8Array): readonly OutgoingMessage[] {
    try {
      const body = this.#seal.open(subject, reply, data)
      if (body === 'foreign' || body === 'repeated') {
        this.#foreign.add(body === 'foreign' ? 'sent' : 'repeated', subject)
        return []
      }
      const messages = unbatchMessages({ subject, reply, body })
      if (messages.length === 0) this.#log.warn('a message from another node could not be read', { subject })
      return messages
    } catch (error) {
      this.#reportError('message', error, { subject })
      return []
    }
  }
}

/** How long operations of the connection are waited for, in milliseconds: it may be lost permanently. */
const timeoutMs = 1_000

/** Waits for an operation. It fails only when the connection is lost or closed, which is detected elsewhere. */
async function settled(work: Promise<unknown>): Promise<void> {
  try {
    await settlesWithin(work, timeoutMs)
  } catch {
    // See above.
  }
}

/** The node that an inbox belongs to: `junctor.v1.<cluster>.node.<node>.in.<token>`. */
export function nodeOfInbox(subject: string): string {
  const end = subject.lastIndexOf('.', subject.lastIndexOf('.') - 1)
  return subject.slice(subject.lastIndexOf('.', end - 1) + 1, Math.max(0, end))
}
