import type { Client, NotificationBody } from '@junctor/exchange'
import { type Emit, emitNothing, silentLog } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import type { InnerCallParts } from '../../src/upstream/calls/inner-calls.ts'
import { ToolNames } from '../../src/upstream/catalogue/tool-names.ts'
import { LinkPool, type PoolListener } from '../../src/upstream/links/link-pool.ts'
import { HomeSession } from '../../src/sessions/session/home-session.ts'
import type { TenantEntry } from '../../src/shared/tenant-entry.ts'
import type { ManualClock } from './manual-clock.ts'
import { identityOf } from './test-nodes.ts'

/** A pool that reports no events, unless the test passes a listener. */
export function createTestPool(
  clock: ManualClock,
  listener: Partial<PoolListener> = {},
  emit: Emit = emitNothing,
): LinkPool {
  return new LinkPool({
    clock,
    log: silentLog,
    emit,
    random: () => 0,
    listener: {
      opened: async () => {},
      linked() {},
      unlinked() {},
      reachabilityChanged() {},
      client: () => ({}) as Client,
      ...listener,
    },
  })
}

/** For calls whose backends call no other tools. */
export const noInnerCalls: InnerCallParts = {
  views: {
    of: () => Promise.reject(new Error('no views')),
    seen() {
      throw new Error('no views')
    },
  },
  names: new ToolNames(),
}

/** A home session, with the notifications that its client received outside any request. */
export interface Home {
  readonly session: HomeSession
  readonly notifications: readonly NotificationBody[]
}

/** Creates a session over HTTP whose client answers no question. */
export function createHome(
  id: string,
  tenant: TenantEntry,
  pool: Pick<LinkPool, 'slot'>,
  capabilities: JsonObject = {},
): Home {
  const notifications: NotificationBody[] = []
  const context = {
    tenant: tenant.tenant.name,
    principal: identityOf().principal,
    session: id,
    revision: '2025-11-25',
    client: { info: {}, capabilities },
    trace: undefined,
  } as const
  const outlet = {
    notify: (_: HomeSession, notification: NotificationBody) => void notifications.push(notification),
    ask: () => Promise.resolve({ error: { code: -32_601, message: 'no client answers' } }),
  }
  return {
    session: new HomeSession({ id, tenant, context, transport: 'http', openedAt: 0 }, outlet, pool),
    notifications,
  }
}
