import type { CallContext, Exchange, NotificationBody } from '@junctor/exchange'
import type { Scope } from '@junctor/contracts'
import {
  type Answer,
  edit,
  isJsonObject,
  member,
  type Payload,
  payloadFromText,
  payloadOf,
  type RequestId,
} from '@junctor/jsonrpc'
import { metaKeys } from '@junctor/protocol'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { SessionlessCaller } from '../sessions/sessionless/sessionless-caller.ts'
import type { TenantEntry } from '../shared/tenant-entry.ts'
import type { CallerView } from '../upstream/callers/caller-view.ts'
import type { Caller } from '../upstream/callers/caller.ts'
import type { LinkSlot } from '../upstream/links/link-slot.ts'

/** The most notifications that wait for the acknowledgement of a subscription. */
const mostHeld = 256

/**
 * One `subscriptions/listen` (2026-07-28, Subscriptions): a caller that gets notifications until its request ends. It uses
 * the links of its principal.
 */
export class Listener implements Caller {
  readonly id: string
  readonly context: CallContext
  /** Lists and updates of resources are not log messages. */
  readonly logLevel = undefined
  subscriptions = 0
  readonly #exchange: Exchange
  readonly #subscription: RequestId
  readonly #methods: ReadonlySet<string>
  readonly #links: SessionlessCaller
  /** Undefined once the subscription is acknowledged. */
  #held: NotificationBody[] | undefined = []

  /**
   * @param exchange of the request
   * @param subscription the id of the client's request, which each notification repeats
   * @param listened the notifications that the client wants
   * @param links a caller of its own: that of all requests of the principal is forgotten when there are none for a while
   */
  constructor(exchange: Exchange, subscription: RequestId, listened: ReadonlySet<string>, links: SessionlessCaller) {
    this.id = exchange.id
    this.context = exchange.context
    this.#exchange = exchange
    this.#subscription = subscription
    this.#methods = listened
    this.#links = links
  }

  get tenant(): TenantEntry {
    return this.#links.tenant
  }

  /** Applies a new configuration of its tenant. */
  applyConfig(tenant: TenantEntry): void {
    this.#links.applyConfig(tenant)
  }

  get ended(): boolean {
    return this.#exchange.ended !== undefined
  }

  get lastView(): CallerView | undefined {
    return this.#links.lastView
  }

  set lastView(view: CallerView | undefined) {
    this.#links.lastView = view
  }

  scope(entry: BackendEntry): Scope {
    return this.#links.scope(entry)
  }

  slot(entry: BackendEntry): LinkSlot {
    return this.#links.slot(entry)
  }

  slots(): readonly LinkSlot[] {
    return this.#links.slots()
  }

  ask(): Promise<Answer> {
    return Promise.resolve({ error: { code: -32_601, message: 'A subscription cannot be asked' } })
  }

  notify(notification: NotificationBody): void {
    if (this.#methods.has(notification.method)) this.relay(notification)
  }

  /** Sends a notification of an extension that the backend has promised. */
  relay(notification: NotificationBody): void {
    if (this.#held === undefined) this.#send(notification)
    else if (this.#held.length < mostHeld) this.#held.push(notification)
  }

  /** Sends the acknowledgement, which comes before all notifications. */
  acknowledge(acknowledgement: NotificationBody): void {
    const held = this.#held ?? []
    this.#held = undefined
    this.#send(acknowledgement)
    for (const notification of held) this.#send(notification)
  }

  /** Adds the id of the subscription to the params of a notification or a result. */
  tagged(params: Payload = payloadOf({})): Payload {
    const own = member(params, '_meta')
    const meta = own !== undefined && isJsonObject(own.value()) ? own : payloadOf({})
    return edit(params, { _meta: edit(meta, { [metaKeys.subscriptionId]: payloadFromText(this.#subscription) }) })
  }

  #send({ method, params }: NotificationBody): void {
    this.#exchange.notify({ method, params: this.tagged(params) })
  }
}
