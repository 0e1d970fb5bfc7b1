import { expect, test } from 'vitest'
import { payloadOf } from '@junctor/jsonrpc'
import type { Gateway } from '../src/index.ts'
import { createTestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

test.each([
  [100, false],
  [101, true],
])('of %i values of a backend, at most a hundred reach the client; hasMore: %s', async (count, hasMore) => {
  const { behaviour, entry } = createTestBackend()
  behaviour.list = async (kind) => (kind === 'prompts' ? [payloadOf({ name: 'hello' })] : [])
  const values = Array.from({ length: count }, (_, at) => `value ${at}`)
  const result = payloadOf({ completion: { values, total: count, hasMore: false } })
  behaviour.call = () => ({ kind: 'complete', result })
  const [gateway] = (await startNodes([[tenantOf([entry])]])).gateways as [Gateway]
  const client = await openClient(gateway.front, identityOf())
  const ref = { type: 'ref/prompt', name: 'one__hello' }
  const answer = client.request('completion/complete', { ref, argument: { name: 'who', value: '' } }).answer()
  expect((await answer).result).toEqual({ completion: { values: values.slice(0, 100), total: count, hasMore } })
})
