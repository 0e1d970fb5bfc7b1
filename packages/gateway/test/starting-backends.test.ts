import type { JsonObject } from '@junctor/jsonrpc'
import { expect, it } from 'vitest'
import type { Gateway } from '../src/index.ts'
import { createTestBackend } from './support/test-backend.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'
import { openClient } from './support/test-client.ts'

const prompt = { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: '' } }
const template = { ref: { type: 'ref/resource', uri: 'note://{id}' }, argument: { name: 'id', value: '' } }

/** A client of a gateway with two backends without a prefix, of which one cannot be started. */
async function start() {
  const up = createTestBackend({ prefix: '' }, { name: 'up' })
  const down = createTestBackend({ prefix: '' }, { name: 'down' })
  down.behaviour.opening = () => Promise.reject(new Error('refused'))
  const nodes = await startNodes([[tenantOf([up.entry, down.entry])]], { startWaitMs: 20 })
  const client = await openClient((nodes.gateways[0] as Gateway).front, identityOf())
  const reasonOf = async (method: string, params: JsonObject) =>
    (await client.request(method, params).answer()).error?.data as JsonObject | undefined
  return { reasonOf, down }
}

it.each<[string, JsonObject, string]>([
  ['tools/call', { name: 'other' }, 'unknown_tool'],
  ['prompts/get', { name: 'greet' }, 'unknown_prompt'],
  ['completion/complete', prompt, 'unknown_prompt'],
  ['completion/complete', template, 'invalid_params'],
  ['resources/read', { uri: 'note://1' }, 'unknown_resource'],
])('%s %j is not answered as unknown while a backend may know it', async (method, params, reason) => {
  const { reasonOf, down } = await start()
  expect(await reasonOf(method, params)).toMatchObject({
    reason: 'backend_unavailable',
    backend: 'down',
    retryAfterMs: expect.any(Number),
  })
  down.behaviour.opening = async () => {}
  await expect.poll(async () => (await reasonOf(method, params))?.['reason'], { timeout: 10_000 }).toBe(reason)
})
