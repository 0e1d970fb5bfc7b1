import { expect, it } from 'vitest'
import { payloadOf } from '@junctor/jsonrpc'
import { createTestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const tools = ['read', 'write', 'delete'].map((name) => payloadOf({ name, inputSchema: { type: 'object' } }))

it('reports to a tenant its own backends, with the tools that it may see', async () => {
  const files = createTestBackend({ prefix: 'f' }, { name: 'files' })
  files.behaviour.list = async (kind) => (kind === 'tools' ? tools : [])
  const other = createTestBackend({}, { name: 'other' })
  const own = createTestBackend({ prefix: '', builtIn: true }, { name: '$gateway' })
  const acme = tenantOf([own.entry, files.entry], 'acme')
  const careful = {
    ...tenantOf([files.entry, other.entry], 'careful'),
    tools: { allow: undefined, deny: ['*:delete'] },
  }
  const nodes = await startNodes([[acme, careful]])
  const [gateway] = nodes.gateways
  if (gateway === undefined) throw new Error('no gateway')
  // The lists that one tenant has loaded do not count for another; its clients also declare capabilities.
  await openClient(gateway.front, identityOf('ada', 'acme'), {
    protocolVersion: '2025-11-25',
    capabilities: { roots: {} },
  })
  expect(await gateway.backendsOf('acme')).toEqual([{ name: 'files', state: 'up', prefix: 'f', tools: 3 }])
  expect(await gateway.backendsOf('careful')).toEqual([
    { name: 'files', state: 'up', prefix: 'f', tools: 2 },
    { name: 'other', state: 'up', prefix: 'other', tools: 1 },
  ])
  expect(await gateway.backendsOf('nobody')).toEqual([])
})

it('reports a backend that is down, and does not wait for it', async () => {
  const { entry, behaviour } = createTestBackend({}, { name: 'dead' })
  behaviour.opening = () => Promise.reject(new Error('no such command'))
  const nodes = await startNodes([[tenantOf([entry])]])
  expect(await nodes.gateways[0]?.backendsOf('default')).toEqual([
    { name: 'dead', state: 'down', prefix: 'dead', tools: 0 },
  ])
})
