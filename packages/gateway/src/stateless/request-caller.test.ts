import { silentLog } from '@junctor/contracts'
import type { Exchange } from '@junctor/exchange'
import { expect, it } from 'vitest'
import { createTestPool } from '../../test/support/home.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { createTestBackend, testServer } from '../../test/support/test-backend.ts'
import { identityOf, tenantOf } from '../../test/support/test-nodes.ts'
import { SessionlessCaller } from '../sessions/sessionless/sessionless-caller.ts'
import { BackendCatalogue } from '../upstream/catalogue/backend-catalogue.ts'
import { CatalogueLoader } from '../upstream/catalogue/catalogue-loader.ts'
import { ExclusiveLinks } from './exclusive-links.ts'
import { RequestCaller } from './request-caller.ts'

it('stays with the link that it has used first, also when the lists of the backend come or go meanwhile', async () => {
  const clock = createManualClock()
  const pool = createTestPool(clock)
  const catalogue = new BackendCatalogue(clock.now)
  const loader = new CatalogueLoader({ catalogue, pool, log: silentLog, clock, news: () => {} })
  const { entry, behaviour } = createTestBackend({}, { correlates: false })
  behaviour.server = { ...testServer, revision: '2026-07-28' }
  const context = {
    tenant: 'default',
    principal: identityOf().principal,
    session: undefined,
    revision: '2026-07-28',
    client: { info: {}, capabilities: { elicitation: {} } },
    trace: undefined,
  } as const
  const shared = new SessionlessCaller(tenantOf([entry]), context, pool)
  const exclusiveLinks = new ExclusiveLinks(() => {})
  const request = (): RequestCaller => {
    const exchange = { context } as unknown as Exchange
    return new RequestCaller(shared, exchange, undefined, {
      source: pool,
      catalogue,
      linkUsers: new Map(),
      exclusiveLinks,
    })
  }

  const early = request()
  const own = early.slot(entry)
  expect(own).not.toBe(shared.slot(entry))
  await loader.load(entry, shared.scope(entry), 1_000, shared)
  const late = request()
  expect(late.slot(entry)).toBe(shared.slot(entry))

  catalogue.forget(entry)
  shared.lastView = undefined
  expect(early.slot(entry)).toBe(own)
  expect(late.slot(entry)).toBe(shared.slot(entry))
})
