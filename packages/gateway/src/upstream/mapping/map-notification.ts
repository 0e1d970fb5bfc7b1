import type { NotificationBody } from '@junctor/exchange'
import { edit } from '@junctor/jsonrpc'
import type { LogLevel } from '@junctor/protocol'
import { isLogLevel, methods, reachesLevel } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { prefixIn } from '../../shared/prefix-in.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'

/**
 * A backend's notification as one caller is to see it; `undefined` when its log level or its tenant's profile keeps it
 * out, or when it is about the backend's own tasks. Log messages name the backend that they are from.
 */
export function mapNotification(
  entry: BackendEntry,
  caller: { readonly tenant: TenantEntry; readonly logLevel: LogLevel | undefined },
  notification: NotificationBody,
): NotificationBody | undefined {
  const { method, params } = notification
  // Clients know the gateway's tasks, none of its backends'.
  if (method === methods.notificationsTasksStatus) return undefined
  if (method !== methods.notificationsMessage || params === undefined) return notification
  if (!caller.tenant.tenant.profile.relaysLogs) return undefined
  const wanted = caller.logLevel
  const { level, logger } = params.value() as { level?: unknown; logger?: unknown }
  if (wanted !== undefined && isLogLevel(level) && !reachesLevel(level, wanted)) return undefined
  const prefix = prefixIn(caller.tenant, entry)
  if (prefix === '') return notification
  // Many servers call their logger by their own name: once is enough.
  const isNamed = typeof logger === 'string' && logger !== '' && logger !== prefix
  const shown = isNamed ? `${prefix}/${logger}` : prefix
  return { method, params: edit(params, { logger: shown }) }
}
