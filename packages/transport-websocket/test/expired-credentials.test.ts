import { expect, test } from 'vitest'
import { serve } from './front-fixture.ts'

test('a connection ends half a second after its credentials have expired, also with requests in flight', async () => {
  const { open, front } = await serve()
  // Long enough for the opening on a busy machine.
  front.expires = Date.now() + 2000
  const client = await open()
  client.send({ jsonrpc: '2.0', id: 1, method: 'wait' })
  expect(await client.closed).toMatchObject({ code: 1008 })
  expect(Date.now()).toBeGreaterThan(front.expires - 10)
})
