import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import { type JsonObject, payloadOf, type Request, requestId } from '@junctor/jsonrpc'
import { methods, takesTasks } from '@junctor/protocol'
import { type ChangeFlag, changeNotices, type ListenFilter, readListenFilter } from './listen-filter.ts'
import { type BackendSubscription, listenAtBackend } from './listen-at-backend.ts'
import type { JobDesk } from '../../jobs/desk/job-desk.ts'
import type { JobRecord } from '../../jobs/record/job-record.ts'
import { tasksMissing } from '../../router/task-extension-routes.ts'
import { ownTasks, watchTasks } from './watch-tasks.ts'
import { resourceRoute } from '../../router/resource-route.ts'
import type { Clock } from '../../shared/clock.ts'
import { errorOutcome } from '../../shared/errors.ts'
import { SessionlessCaller } from '../../sessions/sessionless/sessionless-caller.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { sessionSubscriptions } from '../../upstream/subscriptions/subscriptions.ts'
import { Listener } from '../../stateless/listener.ts'
import type { Listeners } from '../../stateless/listeners.ts'
import { Call } from '../../upstream/calls/call.ts'
import { withCallerToken } from '../../upstream/callers/with-caller-token.ts'
import type { Upstream } from '../../upstream/upstream.ts'

/** What a subscription can be about: lists and resources of backends, and jobs. */
export interface ListenParts {
  readonly listeners: Listeners
  readonly upstream: Pick<Upstream, 'views' | 'subscriptions' | 'calls' | 'slot'>
  readonly tenants: ReadonlyMap<string, TenantEntry>
  readonly clock: Clock
  readonly jobs: Pick<JobDesk, 'read' | 'inputs'>
}

/** Answers `subscriptions/listen`: with notifications, until the client or this node ends it. */
export function createListen(parts: ListenParts): Handler {
  return async (request, exchange): Promise<Outcome> => {
    const filter = readListenFilter(request)
    const { context } = exchange
    const tenant = parts.tenants.get(context.tenant)
    if (filter.kind === 'bad') return errorOutcome(context, 'invalid_params', filter.message)
    if (tenant === undefined) return errorOutcome(context, 'unknown_tenant')
    const caller = new SessionlessCaller(tenant, context, parts.upstream)
    withCallerToken(caller, context)
    if (filter.tasks.length > 0 && !takesTasks(context.client.capabilities, context.revision)) {
      return tasksMissing(new Call(caller, request, exchange))
    }
    return listen(parts, { request, exchange, filter, caller })
  }
}

interface Listening {
  readonly request: Request
  readonly exchange: Exchange
  readonly filter: Extract<ListenFilter, { kind: 'filter' }>
  readonly caller: SessionlessCaller
}

async function listen(parts: ListenParts, { request, exchange, filter, caller }: Listening): Promise<Outcome> {
  const { listeners, upstream, jobs } = parts
  const listened = new Set<string>(filter.lists.map((flag) => changeNotices[flag]))
  if (filter.uris.length > 0) listened.add(methods.notificationsResourcesUpdated)
  if (filter.tasks.length > 0) listened.add(methods.notificationsTasks)
  const listener = new Listener(exchange, request.id, listened, caller)
  const ended = listeners.add(listener)
  exchange.onEnd({ ended: () => listeners.end(listener) })
  // The signal of the exchange does not abort when this node ends the subscription with an answer.
  const over = new AbortController()
  let backend: BackendSubscription | undefined
  try {
    backend = await atBackend(parts, listener, exchange, filter.others)
    // The filter may name any number: each is looked up, and asked for at its backend.
    const wanted = filter.uris.slice(0, sessionSubscriptions)
    const subscribed = await Promise.all(wanted.map((uri) => subscribe(upstream, listener, exchange, uri)))
    const uris = wanted.filter((_, index) => subscribed[index] === true)
    const tasks = await ownTasks(jobs, exchange, filter.tasks)
    listener.acknowledge({
      method: methods.notificationsSubscriptionsAcknowledged,
      params: payloadOf({ notifications: { ...honoured(filter.lists, uris, tasks), ...backend?.honoured } }),
    })
    void watchTasks(jobs, over.signal, tasks, (notification) => listener.notify(notification))
    return await ended
  } finally {
    over.abort()
    backend?.end()
    listeners.end(listener)
    upstream.subscriptions.end(listener)
  }
}

function honoured(lists: readonly ChangeFlag[], uris: readonly string[], tasks: readonly JobRecord[]): JsonObject {
  return {
    ...Object.fromEntries(lists.map((flag) => [flag, true])),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
    ...(tasks.length > 0 && { taskIds: tasks.map(({ id }) => id) }),
  }
}

/** At the endpoint of one backend, this backend may understand what the gateway does not know. */
async function atBackend(
  { upstream, clock }: ListenParts,
  listener: Listener,
  exchange: Exchange,
  wanted: JsonObject,
): Promise<BackendSubscription | undefined> {
  const { single, backends } = listener.tenant
  const [entry] = backends
  if (single !== true || entry === undefined || Object.keys(wanted).length === 0) return undefined
  return listenAtBackend(upstream.calls, clock, { listener, exchange, entry, wanted })
}

/** Whether the backend of a resource will report its updates. */
async function subscribe(
  { views, subscriptions }: ListenParts['upstream'],
  listener: Listener,
  exchange: Exchange,
  uri: string,
): Promise<boolean> {
  const match = resourceRoute(await views.of(listener), listener.tenant, uri)
  if (match.kind !== 'one') return false
  const params = payloadOf({ uri })
  const { resourcesSubscribe: method } = methods
  const request: Request = { kind: 'request', dialect: '2.0', id: requestId(exchange.id), method, params }
  const outcome = await subscriptions.subscribe(new Call(listener, request, exchange), match.route)
  return outcome.kind === 'complete'
}
