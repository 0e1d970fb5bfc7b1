import { hash } from 'node:crypto'
import { expect } from 'vitest'
import type { JsonObject } from '@junctor/jsonrpc'
import { inGateway, lean } from '../src/in-gateway.ts'
import { errorOf, resultOf, textOf } from '../src/result-of.ts'
import { verifies } from '../src/verifies.ts'
import type { WireClient } from '../src/wire-client.ts'

const key = (name: string): string => `the-key-of-${name}-for-tests`
const hashOf = (name: string): string => `sha256:${hash('sha256', key(name))}`
const as = (name: string): { readonly headers: Readonly<Record<string, string>> } => ({
  headers: { authorization: `Bearer ${key(name)}` },
})

const call = (client: WireClient, tool: string): Promise<JsonObject> =>
  client.request('tools/call', { name: `lean__${tool}`, arguments: { message: 'hello' } })

/** Sends a call whose answer is read later, or never: `hang` has none. */
const begin = (client: WireClient, tool: string, id: string): Promise<void> =>
  client.send({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: `lean__${tool}`, arguments: { message: id } },
  })

const answerOf = async (client: WireClient, id: string): Promise<JsonObject> =>
  (await client.until(({ message }) => message['id'] === id)).message

verifies('LIM-11', {}, async (cell) => {
  await inGateway(cell, { lean: lean({}, { concurrency: 1, queue: 4, timeout: '60s' }) }, async (scene) => {
    const client = await scene.client()
    // The link is open: calls are sent at once.
    expect(errorOf(await call(client, 'echo'))).toBeUndefined()
    await begin(client, 'hang', 'running')
    for (const id of ['w1', 'w2', 'w3']) await begin(client, 'echo', id)
    // One caller may have three of the four places.
    expect(errorOf(await call(client, 'echo'))).toMatchObject({
      message: 'Too many calls wait for lean',
      data: { reason: 'overloaded', retryable: true, backend: 'lean', retryAfterMs: 1_000 },
    })
    await client.notify('notifications/cancelled', { requestId: 'w2' })
    await client.notify('notifications/cancelled', { requestId: 'running' })
    for (const id of ['w1', 'w3']) {
      expect(resultOf(await answerOf(client, id))).toMatchObject({ structuredContent: { message: id } })
    }
    const received = textOf(await call(client, 'received')).match(/(?<="message":")\w+/g) ?? []
    // Through two nodes, the second cancellation may overtake the first.
    const seen = cell.nodes === 1 ? received : received.filter((id) => id !== 'w2')
    expect(seen).toEqual(['hello', 'running', 'w1', 'w3', 'hello'])
  })
})

verifies('LIM-11', { ways: ['http'] }, async (cell) => {
  await inGateway(cell, { lean: lean({}, { concurrency: 1, timeout: '300ms' }) }, async (scene) => {
    const client = await scene.client()
    // What has used up its time leaves its place.
    for (let count = 0; count < 2; count += 1) {
      expect(errorOf(await call(client, 'hang')).data).toMatchObject({ reason: 'deadline_exceeded' })
    }
    // On a busy machine it does not always answer in its own time.
    await expect.poll(async () => errorOf(await call(client, 'echo'))).toBeUndefined()
  })
})

verifies('LIM-12', { ways: ['http'] }, async (cell) => {
  await inGateway(
    cell,
    { lean: lean({}, { isolation: 'tenant' }) },
    async (scene) => {
      const ada = await scene.http(as('ada'))
      const bob = await scene.http(as('bob'))
      await begin(ada, 'hang', 'one')
      await begin(ada, 'hang', 'two')
      await expect
        .poll(async () => errorOf(await call(ada, 'echo'))?.data)
        .toMatchObject({ reason: 'too_many_requests', retryable: true, retryAfterMs: 1_000 })
      const { status, headers } = await ada.post({
        jsonrpc: '2.0',
        id: 'x',
        method: 'tools/call',
        params: { name: 'lean__echo' },
      })
      expect([status, headers.get('retry-after')]).toEqual([429, '1'])
      expect(errorOf(await call(bob, 'echo'))).toBeUndefined()
      await ada.notify('notifications/cancelled', { requestId: 'one' })
      await expect.poll(async () => errorOf(await call(ada, 'echo'))).toBeUndefined()
    },
    {
      config: {
        auth: { apiKeys: { ada: { hash: hashOf('ada') }, bob: { hash: hashOf('bob') } } },
        limits: { callsOfPrincipal: 2 },
      },
    },
  )
})
