import { describe, expect, it } from 'vitest'
import type { Front } from '@junctor/contracts'
import { createBackend, createMethod, createTool } from '@junctor/plugin-sdk'
import { backendDefaults, type BackendEntry, type TenantEntry } from '../src/index.ts'
import { post, three } from './support/json-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const ada = identityOf('ada')

function sums(name = 'sums'): BackendEntry {
  const backend = createBackend({
    name,
    tools: [
      createTool({
        metadata: { name: 'add', description: 'x', inputSchema: { type: 'object' } },
        handler: () => 'tool',
      }),
    ],
    methods: [
      createMethod({ name: 'sum', handler: (params) => (params as readonly number[]).reduce((a, b) => a + b, 0) }),
      createMethod({ name: 'see', handler: (params, { options }) => ({ params, options }) }),
    ],
  })
  return { ...backendDefaults, backend, prefix: name }
}

/** One node for each list of tenants. */
async function start(...nodes: readonly (readonly TenantEntry[])[]): Promise<readonly [Front, Front]> {
  const started = await startNodes(nodes)
  return started.gateways.map(({ front }) => front) as [Front, Front]
}

describe('a method outside MCP', () => {
  it('is called by its own name, in either version', async () => {
    const [front] = await start([tenantOf([sums()])])
    const three1 = post(front, ada, undefined, three({ method: 'sum', params: [1, 2], id: 1 }))
    expect(await three1.seen.whole()).toEqual([three({ id: 1, result: 3 })])
    const client = await openClient(front, ada)
    expect(await client.request('sum', [1, 2, 3]).answer()).toMatchObject({ jsonrpc: '2.0', result: 6 })
  })

  it('is answered on the home node when the request comes to another node', async () => {
    const [one, two] = await start([tenantOf([sums()])], [tenantOf([sums()])])
    const here = await openClient(one, ada)
    const there = await here.at(two)
    for (const client of [here, there, here, there]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await client.request('sum', [1, 2]).answer()).toMatchObject({ result: 3 })
    }
  })

  it('gets options beside params, not in them', async () => {
    const [front] = await start([tenantOf([sums()])])
    const request = three({ method: 'see', params: { a: 1 }, options: { stream: true, wish: 'x' }, id: 'a' })
    expect(await post(front, ada, undefined, request).seen.whole()).toEqual([
      three({ stream: { id: 'a' }, result: { params: { a: 1 }, options: { stream: true, wish: 'x' } } }),
    ])
  })

  it('is not a tool: it is in no list, and the allowed tools of a tenant do not affect it', async () => {
    const [front] = await start([{ ...tenantOf([sums()]), tools: { allow: ['none:*'], deny: ['sums:other'] } }])
    const client = await openClient(front, ada)
    expect(await client.request('sum', [1]).answer()).toMatchObject({ result: 1 })
    expect(await client.request('tools/list').answer()).toMatchObject({ result: { tools: [] } })
  })

  it.each(['*', 'sums:*', 'sums:sum'])('that is denied to a tenant by %s does not exist', async (pattern) => {
    const [front] = await start([{ ...tenantOf([sums()]), tools: { allow: undefined, deny: [pattern] } }])
    const client = await openClient(front, ada)
    expect(await client.request('sum', [1]).answer()).toMatchObject({ error: { code: -32_601 } })
  })

  it('that no backend has is not found', async () => {
    const [front] = await start([tenantOf([sums()])])
    for (const method of ['none', 'sums__sum', 'constructor', 'rpc.none']) {
      // oxlint-disable-next-line no-await-in-loop
      const [answer] = await post(front, ada, undefined, three({ method, id: 1 })).seen.whole()
      expect(answer).toMatchObject({
        jsonrpc: '3.0',
        id: 1,
        error: { code: -32_601, title: expect.any(String) as string },
      })
    }
  })

  it('of two backends is refused, but not their other methods; another tenant sees its own', async () => {
    const [a, b] = [createTestBackend({}, { name: 'a', methods: ['sum', 'mine'] }), sums('b')]
    const [front] = await start([tenantOf([a.entry, b]), tenantOf([b], 'other')])
    const ask = async (method: string, tenant = 'default') => {
      const [answer] = await post(
        front,
        identityOf('ada', tenant),
        undefined,
        three({ method, params: [2], id: 1 }),
      ).seen.whole()
      return answer
    }
    expect(await ask('sum')).toMatchObject({ error: { code: -32_601 } })
    expect(await ask('mine')).toMatchObject({ result: {} })
    expect(await ask('see')).toMatchObject({ result: { params: [2] } })
    expect(await ask('sum', 'other')).toMatchObject({ result: 2 })
    expect(await ask('mine', 'other')).toMatchObject({ error: { code: -32_601 } })
  })

  it('of a backend that cannot be reached is unavailable, not unknown', async () => {
    const backend = createTestBackend({}, { methods: ['sum'] })
    backend.behaviour.opening = () => Promise.reject(new Error('no'))
    const [front] = await start([tenantOf([backend.entry])])
    const [answer] = await post(front, ada, undefined, three({ method: 'sum', params: [], id: 1 })).seen.whole()
    expect(answer).toMatchObject({ error: { data: { reason: 'backend_unavailable' } } })
  })
})
