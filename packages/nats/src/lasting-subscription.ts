import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'

/** How soon a refused subscription is requested again, in milliseconds. */
const againMs = 2_000

/** A subject, its queue group if it has one, and the receiver of its messages. */
export interface LastingSubscriptionOptions {
  readonly connection: Pick<NatsConnection, 'subscribe' | 'isClosed' | 'isDraining'>
  readonly subject: string
  readonly queue?: string | undefined
  /** Called with each message, in the order of their arrival. */
  receive(message: Msg): void
}

/**
 * A subscription that is requested again when the server refuses it: permissions that are changed by mistake, or that a
 * server that is set up again does not have yet, must not leave a node deaf when they are right again. The client
 * library forgets a refused subscription. The connection logs the refusal.
 */
export class LastingSubscription {
  readonly #options: LastingSubscriptionOptions
  #subscription: Subscription
  #again: NodeJS.Timeout | undefined

  constructor(options: LastingSubscriptionOptions) {
    this.#options = options
    this.#subscription = this.#subscribe()
  }

  /** Ends it immediately. */
  unsubscribe(): void {
    clearTimeout(this.#again)
    this.#subscription.unsubscribe()
  }

  /** Ends it after the messages in transit. */
  async drain(): Promise<void> {
    clearTimeout(this.#again)
    if (!this.#subscription.isClosed()) await this.#subscription.drain()
  }

  #subscribe(): Subscription {
    const { connection, subject, queue } = this.#options
    return connection.subscribe(subject, {
      ...(queue !== undefined && { queue }),
      callback: (refused, message) => {
        if (refused === null) this.#options.receive(message)
        else this.#again = setTimeout(this.#subscribeAgain, againMs)
      },
    })
  }

  readonly #subscribeAgain = (): void => {
    const { connection } = this.#options
    if (!connection.isClosed() && !connection.isDraining()) this.#subscription = this.#subscribe()
  }
}
