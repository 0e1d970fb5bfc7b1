import type { Link } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { Clock } from '../../shared/clock.ts'
import { callForGateway } from '../calls/call-for-gateway.ts'
import type { LinkSlot } from '../links/link-slot.ts'

/** Subscribes links on behalf of the gateway itself. The answers are ignored. */
export class LinkSubscriptions {
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  subscribe(slot: LinkSlot, link: Link, uri: string): Promise<Outcome> {
    return callForGateway(link, methods.resourcesSubscribe, payloadOf({ uri }), slot.client.context, this.#clock)
  }

  unsubscribe(slot: LinkSlot, link: Link, uri: string): Promise<Outcome> {
    return callForGateway(link, methods.resourcesUnsubscribe, payloadOf({ uri }), slot.client.context, this.#clock)
  }

  /**
   * Subscribes a new link to the resources of the link that it replaces. Resolves when it is subscribed to what callers
   * want then: they come and leave meanwhile.
   */
  async restore(slot: LinkSlot, link: Link): Promise<void> {
    const done = new Set<string>()
    for (;;) {
      const wanted = new Set(slot.subscriptions?.keys())
      const missing = [...wanted].filter((uri) => !done.has(uri))
      const unwanted = [...done].filter((uri) => !wanted.has(uri))
      if (missing.length + unwanted.length === 0) return
      // oxlint-disable-next-line no-await-in-loop -- until nothing changed during the requests
      await Promise.all([
        ...missing.map((uri) => this.subscribe(slot, link, uri)),
        ...unwanted.map((uri) => this.unsubscribe(slot, link, uri)),
      ])
      for (const uri of missing) done.add(uri)
      for (const uri of unwanted) done.delete(uri)
    }
  }
}
