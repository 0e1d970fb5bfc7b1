import type { Outcome } from '@junctor/exchange'
import { frameLimit } from '@junctor/fabric/wire'
import { type JsonValue, payloadOf } from '@junctor/jsonrpc'
import { createRequest, recordExchange } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { pairFixture } from './pair-fixture.ts'

const pair = pairFixture()

const small: Outcome = { kind: 'complete', result: payloadOf('done') }
const huge = (): string => 'x'.repeat(frameLimit)

function call(service: string, params?: JsonValue): Promise<Outcome> {
  return pair.near.fabric.call({ service }, createRequest('m', params), recordExchange().exchange)
}

const tooLarge = { kind: 'error', error: { status: 413, message: 'Expects at most 32 MiB between nodes, got more' } }

test('a frame above the limit is refused as too large, in both directions, and the connection continues', async () => {
  await pair.far.fabric.serve('result', () => ({ kind: 'complete', result: payloadOf(huge()) }))
  await pair.far.fabric.serve('chunk', async (_request, exchange) => {
    await exchange.chunk(huge())
    return small
  })
  expect(await call('result')).toMatchObject(tooLarge)
  expect(await call('chunk')).toMatchObject(tooLarge)
  expect(await call('result', [huge()])).toMatchObject(tooLarge)
  await pair.far.fabric.serve('small', () => small)
  expect((await call('small')).kind).toBe('complete')
})

test('large chunks wait for their reader, and small calls beside them do not', async () => {
  const piece = 'y'.repeat(1_000_000)
  let sent = 0
  await pair.far.fabric.serve('pieces', async (_request, exchange) => {
    for (; sent < 30; sent += 1) await exchange.chunk(piece)
    return small
  })
  await pair.far.fabric.serve('beside', () => small)
  const client = recordExchange()
  client.stall()
  const outcome = pair.near.fabric.call({ service: 'pieces' }, createRequest('m'), client.exchange)
  expect((await call('beside')).kind).toBe('complete')
  expect(sent).toBeLessThan(30)
  client.resume()
  expect((await outcome).kind).toBe('complete')
  expect(client.events).toHaveLength(30)
})
