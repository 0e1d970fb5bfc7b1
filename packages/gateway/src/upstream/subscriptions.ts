import type { Link } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { edit, payloadOf } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { BackendCalls } from './calls/backend-calls.ts'
import type { Call } from './calls/call.ts'
import { callQuietly } from './calls/quiet-exchange.ts'
import type { Route } from './catalogue/tenant-view.ts'
import type { Clock } from '../shared/clock.ts'
import { failed } from './calls/failed.ts'
import type { LinkPool } from './links/link-pool.ts'
import type { LinkSlot } from './links/link-slot.ts'
import type { Caller } from './callers/caller.ts'

/** A backend, and one of its own URIs. */
export type Subscription = readonly [backend: string, uri: string]

/** Who wants to hear of which resource, counted by link, so that the upstream has each subscription once. */
export interface Subscriptions {
  subscribe(call: Call, route: Route): Promise<Outcome>
  unsubscribe(call: Call, route: Route): Promise<Outcome>
  /** The ids of the sessions to tell that a resource of the slot's backend was updated. */
  subscribers(slot: LinkSlot, uri: string): readonly string[]
  /** Subscribes a link that took another's place to what was subscribed on the other. */
  restore(slot: LinkSlot, link: Link): Promise<unknown>
  /** What a session has subscribed: the backend and its own URI. */
  of(caller: Caller): readonly Subscription[]
  /** Subscribes a session to what it was subscribed to at another node. */
  takeIn(caller: Caller, subscriptions: readonly Subscription[]): void
  /** Takes back everything that a session has subscribed. */
  end(caller: Caller): void
}

/** Resources that one session may be subscribed to. */
const sessionSubscriptions = 1_000

export function createSubscriptions(
  calls: BackendCalls,
  pool: Pick<LinkPool, 'acquire' | 'release'>,
  clock: Clock,
): Subscriptions {
  const tell = (slot: LinkSlot, link: Link, method: string, uri: string): Promise<Outcome> =>
    callQuietly(link, method, payloadOf({ uri }), slot.client.context, clock)

  /** A link that opens is subscribed to what its slot has. Should it not open now, it does for the next call. */
  const open = async (slot: LinkSlot): Promise<void> => {
    await pool.acquire(slot)
    pool.release(slot)
  }

  return {
    async subscribe(call, route) {
      const { request, caller } = call
      const slot = caller.slot(route.entry)
      const sessions = slot.subscriptions?.get(route.name)
      if (request.params === undefined) return failed(call, 'invalid_params')
      if (sessions?.has(caller.id) !== true && caller.subscriptions >= sessionSubscriptions) {
        const message = `A session can be subscribed to ${sessionSubscriptions} resources: unsubscribe from some first`
        return failed(call, 'overloaded', { message })
      }
      if (sessions !== undefined && slot.link !== undefined) {
        enter(slot, route.name, caller)
        return { kind: 'complete', result: payloadOf({}) }
      }
      const params = edit(request.params, { uri: route.name })
      const outcome = await calls.run(call, route.entry, { ...request, params })
      if (outcome.kind === 'complete' && !caller.ended) enter(slot, route.name, caller)
      return outcome
    },
    async unsubscribe(call, route) {
      const { request, caller } = call
      const slot = caller.slot(route.entry)
      if (!leave(slot, route.name, caller) || request.params === undefined) {
        return { kind: 'complete', result: payloadOf({}) }
      }
      const params = edit(request.params, { uri: route.name })
      return calls.run(call, route.entry, { ...request, params })
    },
    subscribers(slot, uri) {
      const exact = slot.subscriptions?.get(uri)
      if (exact !== undefined) return [...exact]
      const found = new Set<string>()
      for (const [subscribed, sessions] of slot.subscriptions ?? []) {
        if (isPartOf(uri, subscribed)) for (const session of sessions) found.add(session)
      }
      return [...found]
    },
    async restore(slot, link) {
      const uris = [...(slot.subscriptions?.keys() ?? [])]
      await Promise.all(uris.map((uri) => tell(slot, link, methods.resourcesSubscribe, uri)))
    },
    of: (caller) =>
      caller
        .slots()
        .flatMap((slot) =>
          [...(slot.subscriptions ?? [])]
            .filter(([, sessions]) => sessions.has(caller.id))
            .map(([uri]) => [slot.entry.backend.name, uri] as const),
        ),
    takeIn(caller, subscriptions) {
      for (const [backend, uri] of subscriptions) {
        const entry = caller.tenant.backends.find((one) => one.backend.name === backend)
        if (entry === undefined) continue
        const slot = caller.slot(entry)
        const isNew = slot.subscriptions?.has(uri) !== true
        enter(slot, uri, caller)
        if (slot.link === undefined) void open(slot)
        else if (isNew) void tell(slot, slot.link, methods.resourcesSubscribe, uri)
      }
    },
    end(caller) {
      for (const slot of caller.slots()) {
        for (const uri of slot.subscriptions?.keys() ?? []) {
          if (!leave(slot, uri, caller) || slot.link === undefined || slot.scope.session !== undefined) continue
          void tell(slot, slot.link, methods.resourcesUnsubscribe, uri)
        }
      }
    },
  }
}

/**
 * An update may name a part of what was subscribed (Resources, "Subscriptions"), such as a file in a folder; what merely
 * starts alike is another resource, perhaps another session's.
 */
function isPartOf(uri: string, whole: string): boolean {
  return uri.startsWith(whole) && (whole.endsWith('/') || '/?#'.includes(uri.charAt(whole.length)))
}

function enter(slot: LinkSlot, uri: string, caller: Caller): void {
  const uris = (slot.subscriptions ??= new Map<string, Set<string>>())
  const sessions = uris.get(uri) ?? new Set<string>()
  uris.set(uri, sessions)
  if (sessions.has(caller.id)) return
  sessions.add(caller.id)
  caller.subscriptions += 1
}

/** Takes one session off a resource; true when it was the last, so that the upstream need not tell any more. */
function leave(slot: LinkSlot, uri: string, caller: Caller): boolean {
  const sessions = slot.subscriptions?.get(uri)
  if (sessions === undefined || !sessions.delete(caller.id)) return false
  caller.subscriptions -= 1
  if (sessions.size > 0) return false
  slot.subscriptions?.delete(uri)
  return true
}
