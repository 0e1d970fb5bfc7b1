import { mcpProfile } from '@junctor/protocol'
import { expect, test } from 'vitest'
import { createStreamShares, shareOf } from './stream-shares.ts'

const who = (key: string, tenant = 'a') => ({
  principal: { issuer: 'i', subject: key, key },
  tenant: { name: tenant, profile: mcpProfile },
})

test('a principal holds its share and no more, whatever its tenant; what it gives back is there again, once', () => {
  const shares = createStreamShares({ streamsOfPrincipal: 2, streamsOfTenant: 9 })
  const first = shares.enter(who('ada'))
  expect(shares.enter(who('ada', 'b'))).toBeDefined()
  expect(shares.enter(who('ada'))).toBeUndefined()
  expect(shares.enter(who('bob'))).toBeDefined()
  first?.()
  first?.()
  expect(shares.enter(who('ada'))).toBeDefined()
  expect(shares.enter(who('ada'))).toBeUndefined()
})

test('a tenant holds its share and no more, whoever calls', () => {
  const shares = createStreamShares({ streamsOfPrincipal: 9, streamsOfTenant: 2 })
  expect([shares.enter(who('ada')), shares.enter(who('bob'))]).not.toContain(undefined)
  expect(shares.enter(who('eve'))).toBeUndefined()
  expect(shares.enter(who('eve', 'b'))).toBeDefined()
})

test('a share is three quarters, and never nothing', () => {
  expect([1, 2, 4, 60, 10_000].map(shareOf)).toEqual([1, 2, 3, 45, 7_500])
})
