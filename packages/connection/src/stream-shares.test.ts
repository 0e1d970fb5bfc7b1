import { mcpProfile } from '@junctor/protocol'
import { expect, test } from 'vitest'
import { createStreamShares, shareOf } from './stream-shares.ts'

const caller = (key: string, tenant = 'a') => ({
  principal: { issuer: 'i', subject: key, key },
  tenant: { name: tenant, profile: mcpProfile },
})

test('a principal holds at most its share over all tenants, and a released place is available again, once', () => {
  const shares = createStreamShares({ streamsOfPrincipal: 2, streamsOfTenant: 9 })
  const first = shares.enter(caller('ada'))
  expect(shares.enter(caller('ada', 'b'))).toBeDefined()
  expect(shares.enter(caller('ada'))).toBeUndefined()
  expect(shares.enter(caller('bob'))).toBeDefined()
  first?.()
  first?.()
  expect(shares.enter(caller('ada'))).toBeDefined()
  expect(shares.enter(caller('ada'))).toBeUndefined()
})

test('a tenant holds at most its share over all principals', () => {
  const shares = createStreamShares({ streamsOfPrincipal: 9, streamsOfTenant: 2 })
  expect([shares.enter(caller('ada')), shares.enter(caller('bob'))]).not.toContain(undefined)
  expect(shares.enter(caller('eve'))).toBeUndefined()
  expect(shares.enter(caller('eve', 'b'))).toBeDefined()
})

test('a share is three quarters, and at least one', () => {
  expect([1, 2, 4, 60, 10_000].map(shareOf)).toEqual([1, 2, 3, 45, 7_500])
})
