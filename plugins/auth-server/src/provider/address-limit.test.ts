import { expect, test } from 'vitest'
import { createAddressLimit } from './address-limit.ts'

test('an address is refused above the limit, with the seconds to wait; another one is not', async () => {
  const limit = createAddressLimit(2)
  expect([await limit('one'), await limit('one')]).toEqual([{ kind: 'allowed' }, { kind: 'allowed' }])
  const refused = await limit('one')
  expect(refused).toEqual({ kind: 'refused', seconds: expect.any(Number) })
  expect(refused.kind === 'refused' && refused.seconds > 0 && refused.seconds <= 60).toBe(true)
  expect(await limit('another')).toEqual({ kind: 'allowed' })
})
