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

  /** Subscribes a new link to the resources of the link that it replaces. */
  async restore(slot: LinkSlot, link: Link): Promise<void> {
    const uris = [...(slot.subscriptions?.keys() ?? [])]
    await Promise.all(uris.map((uri) => this.subscribe(slot, link, uri)))
  }
}
