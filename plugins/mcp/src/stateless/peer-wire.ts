import {
  type Closed,
  createPeer,
  JunctorError,
  memberOf,
  type Message,
  metaKeys,
  methods,
  type Notification,
  type Payload,
  payloadOf,
  type Peer,
  type PeerHandler,
  type Receiver,
  type Request,
  type RequestId,
  requestId,
  type Response,
  type Transport,
} from '@junctor/plugin-sdk/link'
import { cancellation } from '../link/cancellation.ts'
import { upstreamError } from '../link/errors.ts'
import { LastCancellation } from '../connection/last-cancellation.ts'
import { metaOf } from '../link/meta-of.ts'
import type { RequestListener, SentRequest, StatelessWire } from './stateless-wire.ts'

/**
 * Requests of 2026-07-28 on a connection: a program's pipes, a WebSocket. Notifications of a subscription name it; all
 * others name no request.
 */
export class PeerWire implements StatelessWire, Receiver, PeerHandler {
  readonly correlates = false
  readonly #transport: Transport
  readonly #peer: Peer
  readonly #unrelated: (notification: Notification) => void
  readonly #failed: (error: unknown) => void
  readonly #subscriptions = new Map<string, RequestListener>()
  readonly #cancellation = new LastCancellation()

  /**
   * @param unrelated called with notifications that name no subscription
   * @param failed called with an error of the code that a message was passed to
   */
  constructor(transport: Transport, unrelated: (notification: Notification) => void, failed: (error: unknown) => void) {
    this.#transport = transport
    this.#unrelated = unrelated
    this.#failed = failed
    this.#peer = createPeer({ handler: this, send: (message) => transport.send(message) })
    void this.#watch()
  }

  get closed(): Promise<Error | undefined> {
    return this.#transport.closed
  }

  message(message: Message): void {
    // Transports call this outside any caller, so exceptions are caught here.
    try {
      void this.#peer.receive(message)
    } catch (error) {
      this.#failed(error)
    }
  }

  send(method: string, params: Payload, listener: RequestListener): SentRequest {
    let isOver = false
    const id = this.#peer.call(method, params, {
      settled: (end: Response | Closed) => {
        isOver = true
        this.#subscriptions.delete(id)
        if (end.kind === 'closed') listener.failed({ situation: 'backend_exited', loss: 'cut' })
        else listener.answered(end)
      },
    })
    if (method === methods.subscriptionsListen && !isOver) this.#subscriptions.set(id, listener)
    return { id, cancel: (reason) => this.#cancel(id, reason) }
  }

  async close(): Promise<void> {
    await this.#cancellation.over()
    await this.#transport.close()
  }

  request(request: Request): void {
    void this.#peer.respond(request, { error: upstreamError('method_not_found', request.method) })
  }

  notification(notification: Notification): void {
    if (notification.method === methods.notificationsCancelled) return this.#subscriptionEnded(notification)
    const id = subscriptionOf(notification)
    const listener = id === undefined ? undefined : this.#subscriptions.get(id)
    if (listener === undefined) this.#unrelated(notification)
    else listener.notification(notification)
  }

  /** Servers cancel nothing but a subscription, which they end so on a connection (2026-07-28, Cancellation). */
  #subscriptionEnded({ params }: Notification): void {
    const named = memberOf(params?.value(), 'requestId')
    if (typeof named !== 'string' && typeof named !== 'number') return
    const id = requestId(named)
    if (!this.#subscriptions.has(id)) return
    void this.#peer.receive({ kind: 'result', dialect: '2.0', id, result: payloadOf({ resultType: 'complete' }) })
  }

  #cancel(id: RequestId, reason: string): void {
    const isSubscription = this.#subscriptions.delete(id)
    if (!this.#peer.forget(id)) return
    void this.#peer.notify(methods.notificationsCancelled, cancellation(id, reason))
    // The end of a subscription interrupts nothing.
    if (!isSubscription) this.#cancellation.sent()
  }

  async #watch(): Promise<void> {
    const error = await this.#transport.closed
    this.#peer.close(error ?? new JunctorError('CLOSED', 'The link was closed'))
  }
}

/** The id of the subscription that a notification names, as the JSON text that ids are. */
function subscriptionOf({ params }: Notification): string | undefined {
  const id = metaOf(params)?.[metaKeys.subscriptionId]
  return typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : undefined
}
