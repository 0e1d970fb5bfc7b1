import type { Caught, Log } from '@junctor/contracts'
import { within } from '@junctor/primitives'
import { createNodeName } from '@junctor/fabric'
import type { Subjects } from '@junctor/nats'
import { createInbox, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import { bundled, type NodeMessage, subjectsOfBundle, unbundled } from './bundle.ts'
import type { ClusterKey } from './cluster-key.ts'
import type { ConnectionState } from './connection-state.ts'
import type { ForeignMessages } from './foreign-messages.ts'
import { Inboxes } from './inboxes.ts'
import { Seal, sealBytes } from './seal.ts'
import { UnsentMessages } from './unsent-messages.ts'

/** Who gets what comes to one inbox of this node. */
export interface Receiver {
  /** @param reply where an answer goes; empty: none is wanted */
  receive(body: Uint8Array, reply: string): void
  /** The server says that nobody listens where a message went that named this inbox for its reply. */
  nobody(): void
}

export interface NodeBusParts {
  readonly connection: NatsConnection
  readonly state: ConnectionState
  readonly log: Log
  /** The first seals, all of them open. */
  readonly keys: readonly ClusterKey[]
  /** Told of what is dropped for its seal. */
  readonly foreign: ForeignMessages
  /** Told of what a turn has caught. */
  readonly caught: Caught
}

const nothing = new Uint8Array()

type Hear = (body: Uint8Array, reply: string, subject: string) => void

/** What a node sends and hears on core NATS, until `close`. Everything is sealed; what does not hold, or comes again, is dropped. */
export class NodeBus {
  readonly node: string
  /** Differs each time a node of this name is started: what comes late for the one before is not for this one. */
  readonly incarnation: string = createNodeName()
  readonly subjects: Subjects
  readonly #connection: NatsConnection
  readonly #seal: Seal
  readonly #log: Log
  readonly #foreign: ForeignMessages
  readonly #caught: Caught
  readonly #receivers: Inboxes<Receiver>
  readonly #inbox: string
  readonly #subscriptions = new Set<Subscription>()
  readonly #state: ConnectionState
  readonly #unsent = new UnsentMessages()
  readonly #stop: () => void
  /** What was sent in this turn of the event loop. */
  #turn: NodeMessage[] = []

  constructor(node: string, { connection, state, log, caught, keys, foreign }: NodeBusParts, subjects: Subjects) {
    this.node = node
    this.#receivers = new Inboxes(this.incarnation)
    this.subjects = subjects
    this.#connection = connection
    this.#state = state
    this.#stop = state.onBack(() => this.#catchUp())
    this.#seal = new Seal(keys, this.incarnation)
    this.#foreign = foreign
    this.#log = log
    this.#caught = caught
    // `<root>.node.<node>.in.`: what is behind it is the name of a receiver.
    this.#inbox = subjects.inbox(node, '').slice(0, -1)
    this.#subscriptions.add(
      connection.subscribe(subjects.inbox(node), {
        callback: (error, message) => {
          if (error === null) this.#hear(message)
        },
      }),
    )
  }

  /** Bytes that the body of one message may have. */
  get bodyBytes(): number {
    return (this.#connection.info?.max_payload ?? 1_048_576) - sealBytes
  }

  /**
   * Without waiting; what is sent in one turn of the event loop goes out together. What is sent while the connection is
   * lost for a moment is sent when it is back. False: the connection is closed.
   */
  publish(subject: string, body: Uint8Array, reply = ''): boolean {
    if (this.#connection.isClosed() || this.#connection.isDraining()) return false
    if (this.#turn.length === 0) setImmediate(this.#sendTurn)
    this.#turn.push({ subject, reply, body })
    return true
  }

  /** One write for all that was sent in a turn: each write by itself costs more than all the rest of a small message. */
  readonly #sendTurn = (): void => {
    const turn = this.#turn
    this.#turn = []
    for (const { subject, reply, body } of bundled(turn, this.subjects.nodes, this.bodyBytes)) {
      this.#send({ subject, reply, body: this.#seal.close(subject, reply, body) })
    }
  }

  /** One message that cannot be sent does not take the others of its turn with it. */
  #send(sealed: NodeMessage): void {
    const { subject, reply, body } = sealed
    try {
      if (this.#state.isConnected) this.#connection.publish(subject, body, reply === '' ? {} : { reply })
      else this.#unsent.add(sealed)
    } catch (error) {
      this.#caught('message', error, { subject, reply })
    }
  }

  /**
   * Until `close`.
   *
   * @param hear given the body of each message, where its answer goes (empty: none is wanted), and its subject
   * @param group of those who listen in one queue group each message goes to one
   */
  listen(subject: string, hear: Hear, group?: string): Subscription {
    const subscription = this.#connection.subscribe(subject, {
      ...(group === undefined ? {} : { queue: group }),
      callback: (error, message) => {
        if (error === null) this.#deliver(message, hear)
      },
    })
    this.#subscriptions.add(subscription)
    return subscription
  }

  /** Hears what is on its way already, so that nobody waits for an answer in vain, and nothing more. */
  async drain(subscription: Subscription): Promise<void> {
    this.#subscriptions.delete(subscription)
    if (!subscription.isClosed()) await settled(subscription.drain())
  }

  /** Opens an inbox under a name that was never used before, until `forget`. */
  expect(receiver: Receiver): string {
    return this.#receivers.add(receiver)
  }

  forget(token: string): void {
    this.#receivers.remove(token)
  }

  /** The subject of an inbox of this node. */
  inbox(token: string): string {
    return this.#inbox + token
  }

  /** Whether a node of this name answers. One that cannot be asked does not. */
  async isTaken(node: string): Promise<boolean> {
    const subject = this.subjects.node(node, 'probe')
    const reply = createInbox()
    try {
      const message = this.#seal.close(subject, reply, nothing)
      await this.#connection.request(subject, message, { noMux: true, reply, timeout: patienceMs })
      return true
    } catch {
      return false
    }
  }

  /** Hears nothing more. */
  close(): void {
    this.#stop()
    this.#sendTurn()
    for (const subscription of this.#subscriptions) subscription.unsubscribe()
    this.#subscriptions.clear()
  }

  /** Resolves when the server has everything that was sent before, and knows who listens; soon also when it is lost. */
  async flush(): Promise<void> {
    this.#sendTurn()
    if (!this.#connection.isClosed()) await settled(this.#connection.flush())
  }

  #catchUp(): void {
    for (const unsent of this.#unsent.take()) this.#send(unsent)
  }

  /** Something came to an inbox. */
  #hear(message: Msg): void {
    if (message.data.length === 0 && message.headers?.code === 503) {
      for (const inbox of subjectsOfBundle(message.subject)) this.#nobody(inbox)
      return
    }
    this.#deliver(message, this.#receive)
  }

  #nobody(inbox: string): void {
    try {
      this.#receiverOf(inbox)?.nobody()
    } catch (error) {
      this.#caught('message', error, { subject: inbox })
    }
  }

  readonly #receive = (body: Uint8Array, reply: string, inbox: string): void => {
    const receiver = this.#receiverOf(inbox)
    if (receiver !== undefined) receiver.receive(body, reply)
    // Whoever is still of the opinion that something is under way here hears that it is not.
    else if (reply !== '') this.publish(reply, nothing)
  }

  #receiverOf(inbox: string): Receiver | undefined {
    return this.#receivers.get(inbox.slice(this.#inbox.length))
  }

  #deliver({ subject, reply = '', data }: Msg, hear: Hear): void {
    for (const message of this.#opened(subject, reply, data)) {
      try {
        hear(message.body, message.reply, message.subject)
      } catch (error) {
        // From a node of another version, say. The connection must not suffer for it.
        this.#caught('message', error, { subject })
      }
    }
  }

  /** What a message holds; nothing: it is not of this cluster, or cannot be read. */
  #opened(subject: string, reply: string, data: Uint8Array): readonly NodeMessage[] {
    try {
      const body = this.#seal.open(subject, reply, data)
      if (body === 'foreign' || body === 'repeated') {
        this.#foreign.add(body === 'foreign' ? 'sent' : 'repeated', subject)
        return []
      }
      const messages = unbundled({ subject, reply, body })
      if (messages.length === 0) this.#log.warn('a message from another node could not be read', { subject })
      return messages
    } catch (error) {
      this.#caught('message', error, { subject })
      return []
    }
  }
}

/** What the connection is asked to do is not waited for longer, in milliseconds: it may be lost for good. */
const patienceMs = 1_000

/** A failure means that the connection is lost or closed: what has to be known then is noticed elsewhere. */
async function settled(work: Promise<unknown>): Promise<void> {
  try {
    await within(work, patienceMs)
  } catch {
    // See above.
  }
}

/** The node that an inbox belongs to: `junctor.v1.<cluster>.node.<node>.in.<token>`. */
export function nodeOfInbox(subject: string): string {
  const end = subject.lastIndexOf('.', subject.lastIndexOf('.') - 1)
  return subject.slice(subject.lastIndexOf('.', end - 1) + 1, Math.max(0, end))
}
