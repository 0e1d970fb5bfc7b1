import { expect, it } from 'vitest'
import { payloadOf } from '@junctor/jsonrpc'
import { createTestBackend } from './support/test-backend.ts'
import { startNodes, tenantOf } from './support/test-nodes.ts'

it('reports the server information and the lists of each backend, under its own names', async () => {
  const { entry, behaviour } = createTestBackend({ prefix: 'p' }, { name: 'all', methods: ['add'] })
  const lists = {
    tools: [payloadOf({ name: 'read', inputSchema: { type: 'object' } })],
    prompts: [payloadOf({ name: 'greet' })],
    resources: [payloadOf({ uri: 'file:///a', name: 'a' }), payloadOf({ name: 'without a URI' })],
    resourceTemplates: [],
  }
  behaviour.list = async (kind) => lists[kind]
  const nodes = await startNodes([[tenantOf([entry])]])
  expect(await nodes.gateways[0]?.status()).toEqual([
    {
      name: 'all',
      state: 'up',
      error: undefined,
      server: behaviour.server,
      tools: ['read'],
      definitions: [{ name: 'read', inputSchema: { type: 'object' } }],
      prompts: ['greet'],
      resources: ['file:///a'],
      methods: ['add'],
      warnings: [`resources[1]: got no "uri", expected an object with a text "uri"; not shown`],
    },
  ])
})

it('waits for a backend no longer than it is told, and shows the others', async () => {
  const [good, stuck] = ['good', 'stuck'].map((name) => createTestBackend({}, { name }))
  if (good === undefined || stuck === undefined) throw new Error('there are two')
  stuck.behaviour.list = () => new Promise(() => {})
  const nodes = await startNodes([[tenantOf([good.entry, stuck.entry])]])
  expect(await nodes.gateways[0]?.status(50)).toMatchObject([
    { name: 'good', state: 'up', tools: ['echo'] },
    { name: 'stuck', state: 'up', tools: [] },
  ])
})

it('shows what a backend offers that fails to list one kind, and warns of that', async () => {
  const { entry, behaviour } = createTestBackend({}, { name: 'partly' })
  const { list } = behaviour
  behaviour.list = (kind, ...rest) =>
    kind === 'prompts' ? Promise.reject(new Error('prompts/list failed')) : list(kind, ...rest)
  const nodes = await startNodes([[tenantOf([entry])]])
  const [shown] = (await nodes.gateways[0]?.status()) ?? []
  expect(shown).toMatchObject({ state: 'up', error: undefined, prompts: [], warnings: ['prompts/list failed'] })
  expect(shown?.tools).not.toEqual([])
})

it('reports why a backend that was reached does not list what it offers', async () => {
  const { entry, behaviour } = createTestBackend({}, { name: 'mute' })
  behaviour.list = () => Promise.reject(new Error('tools/list failed'))
  const nodes = await startNodes([[tenantOf([entry])]])
  expect(await nodes.gateways[0]?.status()).toEqual([
    {
      name: 'mute',
      state: 'up',
      error: new Error('tools/list failed'),
      server: undefined,
      tools: [],
      definitions: [],
      prompts: [],
      resources: [],
      methods: [],
      warnings: [],
    },
  ])
})
