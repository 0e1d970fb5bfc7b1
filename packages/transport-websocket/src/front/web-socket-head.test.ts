import { expect, test } from 'vitest'
import { serve, type Served } from '../../test/front-fixture.ts'

test('a client of a proxy is not on this machine, whether the proxy is trusted or not', async () => {
  const listen = { trustedProxies: ['127.0.0.1'] }
  const loopbacks = async (served: Served, addresses: readonly string[]) => {
    for (const address of addresses) await served.connect({ headers: { 'x-forwarded-for': address } })
    return served.front.heads.map((head) => head.loopback)
  }
  const addresses = ['203.0.113.7', '127.0.0.1, 203.0.113.7', 'unknown', '127.0.0.1']
  expect(await loopbacks(await serve({ listen }), addresses)).toEqual([false, false, false, true])
  expect(await loopbacks(await serve(), addresses)).toEqual([false, false, false, true])
})
