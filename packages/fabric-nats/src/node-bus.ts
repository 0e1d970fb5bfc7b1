import type { Log } from '@junctor/exchange'
import type { Subjects } from '@junctor/nats'
import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import { type Seal, sealBytes } from './seal.ts'

/** Who gets what comes to one inbox of this node. */
export interface Receiver {
  /** @param reply where an answer goes; empty: none is wanted */
  receive(body: Uint8Array, reply: string): void
  /** The server says that nobody listens where a message went that named this inbox for its reply. */
  nobody(): void
}

const nothing = new Uint8Array()

/** What a node sends and hears on core NATS. Everything is sealed; what does not hold is dropped, and logged. */
export class NodeBus {
  readonly node: string
  readonly subjects: Subjects
  readonly #connection: NatsConnection
  readonly #seal: Seal
  readonly #log: Log
  readonly #receivers = new Map<string, Receiver>()
  readonly #inbox: string
  #count = 0

  constructor(node: string, connection: NatsConnection, subjects: Subjects, seal: Seal, log: Log) {
    this.node = node
    this.subjects = subjects
    this.#connection = connection
    this.#seal = seal
    this.#log = log
    // `<root>.node.<node>.in.`: what is behind it is the name of a receiver.
    this.#inbox = subjects.inbox(node, '').slice(0, -1)
  }

  /** Bytes that the body of one message may have. */
  get bodyBytes(): number {
    return (this.#connection.info?.max_payload ?? 1_048_576) - sealBytes
  }

  /** Without waiting; what is sent in one turn of the event loop goes out together. False: the connection is closed. */
  publish(subject: string, body: Uint8Array, reply = ''): boolean {
    if (this.#connection.isClosed() || this.#connection.isDraining()) return false
    const message = this.#seal.close(subject, reply, body)
    this.#connection.publish(subject, message, reply === '' ? {} : { reply })
    return true
  }

  /** @param group of those who listen in one queue group each message goes to one */
  listen(subject: string, hear: (body: Uint8Array, reply: string) => void, group?: string): Subscription {
    return this.#connection.subscribe(subject, {
      ...(group === undefined ? {} : { queue: group }),
      callback: (error, { data, reply = '' }) => {
        if (error !== null) return
        const body = this.#seal.open(subject, reply, data)
        if (body === undefined) this.#log.warn('a message without the seal of this cluster was dropped', { subject })
        else hear(body, reply)
      },
    })
  }

  /** Begins to hear what comes to the inboxes of this node. */
  listenToInboxes(): Subscription {
    return this.#connection.subscribe(this.subjects.inbox(this.node), {
      callback: (error, { subject, data, reply = '', headers }) => {
        if (error !== null) return
        const receiver = this.#receivers.get(subject.slice(this.#inbox.length))
        if (data.length === 0 && headers?.code === 503) {
          receiver?.nobody()
          return
        }
        const body = this.#seal.open(subject, reply, data)
        if (body === undefined) this.#log.warn('a message without the seal of this cluster was dropped', { subject })
        else if (receiver !== undefined) receiver.receive(body, reply)
        // Whoever is still of the opinion that something is under way here hears that it is not.
        else if (reply !== '') this.publish(reply, nothing)
      },
    })
  }

  /** Opens an inbox under a name that was never used before, until `forget`. */
  expect(receiver: Receiver): string {
    this.#count += 1
    const token = `x${this.#count.toString(36)}`
    this.#receivers.set(token, receiver)
    return token
  }

  forget(token: string): void {
    this.#receivers.delete(token)
  }

  /** The subject of an inbox of this node. */
  inbox(token: string): string {
    return this.#inbox + token
  }

  /** Resolves when the server has everything that was sent before, and knows who listens; also when it is lost. */
  async flush(): Promise<void> {
    try {
      await this.#connection.flush()
    } catch {
      // The connection was lost or closed; what has to be known then is noticed elsewhere.
    }
  }
}

/** The node that an inbox belongs to: `junctor.v1.<cluster>.node.<node>.in.<token>`. */
export function nodeOfInbox(subject: string): string {
  return subject.split('.').at(-3) ?? ''
}
