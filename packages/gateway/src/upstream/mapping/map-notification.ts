import type { NotificationBody } from '@junctor/exchange'
import { edit } from '@junctor/jsonrpc'
import { eraOf, isLogLevel, listChanged, type LogLevel, methods, reachesLevel, type Revision } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { prefixIn } from '../../shared/prefix-in.ts'
import { unrelated } from '../../shared/related-task.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'

/** From 2026-07-28 on these are sent only to clients that subscribe to them (Subscriptions), or not at all. */
const unrequested: ReadonlySet<string> = new Set([
  ...Object.values(listChanged),
  methods.notificationsResourcesUpdated,
  methods.notificationsElicitationComplete,
])

/**
 * A backend's notification in the form for one caller. `undefined`: the caller's log level or its tenant's profile
 * excludes it, or it is about the backend's own tasks, whose ids no notification keeps. Log messages name their backend.
 *
 * @param revision the caller's. From 2026-07-28 on a request gets log messages only if it asks for a level
 */
export function mapNotification(
  entry: BackendEntry,
  caller: { readonly tenant: TenantEntry; readonly logLevel: LogLevel | undefined },
  notification: NotificationBody,
  revision: Revision,
): NotificationBody | undefined {
  const { method, params } = notification
  const isStateless = eraOf(revision) === 'modern'
  if (isStateless && unrequested.has(method)) return undefined
  // Clients know only the gateway's tasks, not those of backends.
  if (method === methods.notificationsTasksStatus) return undefined
  if (params === undefined) return notification
  const kept = unrelated(params)
  const own = kept === params ? notification : { method, params: kept }
  if (method !== methods.notificationsMessage) return own
  if (!caller.tenant.tenant.profile.relaysLogs) return undefined
  const wanted = caller.logLevel
  const { level, logger } = kept.value() as { level?: unknown; logger?: unknown }
  if (wanted === undefined && isStateless) return undefined
  if (wanted !== undefined && isLogLevel(level) && !reachesLevel(level, wanted)) return undefined
  const prefix = prefixIn(caller.tenant, entry)
  if (prefix === '') return own
  // Many servers use their own name as the logger: the name is shown once.
  const isNamed = typeof logger === 'string' && logger !== '' && logger !== prefix
  const shown = isNamed ? `${prefix}/${logger}` : prefix
  return { method, params: edit(kept, { logger: shown }) }
}
