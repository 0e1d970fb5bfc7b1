import type { NotificationBody } from '@junctor/exchange'
import { edit } from '@junctor/jsonrpc'
import { isLogLevel, methods, reachesLevel } from '@junctor/protocol'
import type { LogLevel } from '@junctor/protocol'
import type { BackendEntry } from '../backend-entry.ts'

/**
 * A backend's notification as one session is to see it; `undefined` when its log level keeps it out. Log messages say
 * which backend they are from.
 */
export function mapNotification(
  entry: BackendEntry,
  wanted: LogLevel | undefined,
  notification: NotificationBody,
): NotificationBody | undefined {
  const { method, params } = notification
  if (method !== methods.notificationsMessage || params === undefined) return notification
  const { level, logger } = params.value() as { level?: unknown; logger?: unknown }
  if (wanted !== undefined && isLogLevel(level) && !reachesLevel(level, wanted)) return undefined
  if (entry.prefix === '') return notification
  // Many servers call their logger by their own name: once is enough.
  const isNamed = typeof logger === 'string' && logger !== '' && logger !== entry.prefix
  const shown = isNamed ? `${entry.prefix}/${logger}` : entry.prefix
  return { method, params: edit(params, { logger: shown }) }
}
