import { expect, test } from 'vitest'
import { serve } from './front-fixture.ts'

test('a connection ends half a second after its credentials have expired, also with requests in flight', async () => {
  const { open, front } = await serve()
  front.expires = Date.now() + 200
  const client = await open()
  client.send({ jsonrpc: '2.0', id: 1, method: 'wait' })
  expect(await client.closed).toMatchObject({ code: 1008 })
  expect(Date.now()).toBeGreaterThan(front.expires - 10)
})
