import type { HttpFailure } from './http-failure.ts'

/** Sends one message. Never rejects. */
type Delivery = () => Promise<HttpFailure | undefined>

/** Messages of one session that get no response. Each takes a connection, and a server decides how many it causes. */
export interface DeliveryQueue {
  /** Sends a message when it is its turn. Resolves like the delivery, or with the reason why it was not sent. */
  add(deliver: Delivery): Promise<HttpFailure | undefined>
  /** Gives up the messages that wait. */
  close(): void
}

/**
 * How many messages are on their way at the same time. A server that asks and never accepts an answer would otherwise
 * use up the file descriptors of the gateway.
 */
const mostAtOnce = 64

/** How many messages wait: as many as an upstream may have questions. */
const mostWaiting = 4_096

interface Waiting {
  start(): void
  drop(): void
}

/** Creates a queue that is empty. */
export function createDeliveryQueue(): DeliveryQueue {
  const waiting = new Set<Waiting>()
  let underWay = 0
  let closed = false

  async function run(deliver: Delivery): Promise<HttpFailure | undefined> {
    underWay += 1
    const failure = await deliver()
    underWay -= 1
    take()?.start()
    return failure
  }

  function take(): Waiting | undefined {
    const [first] = waiting
    if (first !== undefined) waiting.delete(first)
    return first
  }

  return {
    add(deliver) {
      if (closed) return Promise.resolve(ended)
      if (underWay < mostAtOnce) return run(deliver)
      if (waiting.size >= mostWaiting) return Promise.resolve(tooMany)
      const { promise, resolve } = Promise.withResolvers<HttpFailure | undefined>()
      waiting.add({ start: () => resolve(run(deliver)), drop: () => resolve(ended) })
      return promise
    },
    close() {
      closed = true
      for (const one of waiting) one.drop()
      waiting.clear()
    },
  }
}

const ended: HttpFailure = { kind: 'interrupted', what: 'the session has ended' }
const tooMany: HttpFailure = { kind: 'interrupted', what: `${mostWaiting} messages wait for the server already` }
