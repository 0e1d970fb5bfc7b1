import type { Exchange, NotificationBody } from '@junctor/exchange'
import { isJsonObject, type JsonObject, memberOf, payloadOf, type Request, requestId } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { Clock } from '../../shared/clock.ts'
import { DerivedExchange } from '../../shared/derived-exchange.ts'
import { pauseUnlessAborted, waitAtMost } from '../../shared/timeouts.ts'
import type { Listener } from '../../stateless/listener.ts'
import { Call } from '../../upstream/calls/call.ts'
import type { Upstream } from '../../upstream/upstream.ts'

/** How long a backend has to acknowledge, in milliseconds. */
const acknowledgeMs = 10_000

/** Pauses before a lost subscription is opened again, in milliseconds: the first, and the longest. */
const firstPauseMs = 500
const longestPauseMs = 30_000

/** What a client listens for at the endpoint of one backend, and that only this backend understands. */
export interface BackendListening {
  readonly listener: Listener
  /** The exchange of the client's request. */
  readonly exchange: Exchange
  readonly entry: BackendEntry
  /** The members of the filter that the gateway does not know. */
  readonly wanted: JsonObject
}

/** A subscription at a backend for one client. */
export interface BackendSubscription {
  /** The members of the filter that the backend honours, as it sent them. Empty: it honours none, and nothing is open. */
  readonly honoured: JsonObject
  /** Ends it. Idempotent. */
  end(): void
}

/**
 * Listens at a backend (2026-07-28, Subscriptions) for extensions that the gateway does not know: the filter and the
 * notifications pass. A subscription that is lost after its acknowledgment is opened again. Never rejects.
 */
export async function listenAtBackend(
  calls: Upstream['calls'],
  clock: Clock,
  listening: BackendListening,
): Promise<BackendSubscription> {
  const { promise, resolve } = Promise.withResolvers<JsonObject>()
  const exchange = new DerivedExchange(listening.exchange, {
    notify(notification) {
      if (notification.method !== methods.notificationsSubscriptionsAcknowledged) relay(listening, notification)
      else resolve(honouredOf(listening, notification))
    },
  })
  const first = listenOnce(calls, listening, exchange)
  await waitAtMost(clock, acknowledgeMs, Promise.race([promise, first]))
  // A later acknowledgement has no effect: the client gets its own now.
  resolve({})
  const honoured = await promise
  const end = (): void => exchange.end('cancelled')
  if (Object.keys(honoured).length === 0) end()
  else void listenAgain(calls, clock, listening, exchange, first)
  return { honoured, end }
}

/** Resolves when the subscription has ended, for any reason. */
async function listenOnce(
  calls: Upstream['calls'],
  { listener, entry, wanted }: BackendListening,
  exchange: DerivedExchange,
): Promise<void> {
  const { subscriptionsListen: method } = methods
  const params = payloadOf({ notifications: wanted })
  const request: Request = { kind: 'request', dialect: '2.0', id: requestId(exchange.id), method, params }
  await calls.run(new Call(listener, request, exchange), entry, request)
}

async function listenAgain(
  calls: Upstream['calls'],
  clock: Clock,
  listening: BackendListening,
  exchange: DerivedExchange,
  last: Promise<void>,
): Promise<void> {
  await last
  let pauseMs = firstPauseMs
  while (exchange.ended === undefined) {
    // oxlint-disable-next-line no-await-in-loop -- one subscription at a time
    await pauseUnlessAborted(clock, pauseMs, exchange.signal)
    const opened = clock.now()
    // oxlint-disable-next-line no-await-in-loop -- see above
    if (exchange.ended === undefined) await listenOnce(calls, listening, exchange)
    // One that has lasted was lost for another reason than those before.
    pauseMs = clock.now() - opened > longestPauseMs ? firstPauseMs : Math.min(2 * pauseMs, longestPauseMs)
  }
}

/** Tasks of backends are known as the gateway's own. */
function relay({ listener }: BackendListening, notification: NotificationBody): void {
  if (notification.method !== methods.notificationsTasks) listener.relay(notification)
}

function honouredOf({ wanted }: BackendListening, { params }: NotificationBody): JsonObject {
  const honoured = memberOf(params?.value(), 'notifications')
  if (!isJsonObject(honoured)) return {}
  return Object.fromEntries(Object.entries(honoured).filter(([name]) => Object.hasOwn(wanted, name)))
}
