import type { Log } from '@junctor/contracts'
import type { NotificationBody } from '@junctor/exchange'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import type { TenantEntry } from '../../shared/tenant-entry.ts'
import { onlyOwner } from '../../shared/only-owner.ts'
import type { LinkPool } from '../links/link-pool.ts'
import type { LinkSlot } from '../links/link-slot.ts'
import type { ReportPluginError } from './report-plugin-error.ts'

/** The session of a client that notifies. */
export interface Notifier {
  readonly id: string
  readonly tenant: TenantEntry
  readonly ended: boolean
  slot(entry: BackendEntry): LinkSlot
}

/**
 * Passes a client's notification outside MCP to the backend of its endpoint, if that is the endpoint of a single one. It
 * arrives after the requests that the client has sent before it. On a link of several sessions it would be unclear whose it is.
 */
export async function relayNotification(
  pool: Pick<LinkPool, 'acquire' | 'release'>,
  log: Log,
  crashed: ReportPluginError,
  session: Notifier,
  notification: NotificationBody,
): Promise<void> {
  const entry = onlyOwner(session.tenant, notification.method)
  // A slot that is created after the end of its session would never be retired.
  if (entry === undefined || session.ended) return
  const slot = session.slot(entry)
  if (slot.scope.session !== session.id) return
  const acquired = pool.acquire(slot)
  // A link that is open gets it in this turn, so that the order stays.
  const link = acquired instanceof Promise ? await acquired : acquired
  try {
    if (!('kind' in link)) return link.notify(notification)
    log.debug('a notification did not reach its backend', { backend: entry.backend.name, method: notification.method })
  } catch (error) {
    crashed(slot, error)
  } finally {
    pool.release(slot)
  }
}
