import { expect, it } from 'vitest'
import { payloadOf } from '@junctor/jsonrpc'
import { connect } from './support/json-client.ts'
import { createTestBackend, TestLink, testServer } from './support/test-backend.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

it('reports the server information and the lists of each backend, under its own names', async () => {
  const { entry, behaviour } = createTestBackend({ prefix: 'p' }, { name: 'all', methods: ['add'] })
  const lists = {
    tools: [payloadOf({ name: 'read', inputSchema: { type: 'object' } })],
    prompts: [payloadOf({ name: 'greet' })],
    resources: [payloadOf({ uri: 'file:///a', name: 'a' }), payloadOf({ name: 'without a URI' })],
    resourceTemplates: [payloadOf({ uriTemplate: 'file:///{name}', name: 'any' })],
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
      templates: ['file:///{name}'],
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
      templates: [],
      methods: [],
      warnings: [],
    },
  ])
})

const prefix = 'io.modelcontextprotocol/'
const capabilities = { roots: {} }
const modern = { [`${prefix}protocolVersion`]: '2026-07-28', [`${prefix}clientCapabilities`]: capabilities }
const clientInfo = { name: 'c', version: '1' }
const initialize = { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities, clientInfo } }
const discover = { method: 'server/discover', params: { _meta: modern } }

// The official Python SDK takes subscriptions in 2026-07-28 only.
it('declares to each client what a server of both eras declares in the era of that client', async () => {
  const { entry } = createTestBackend(
    {},
    {
      followsEra: true,
      async open(scope, client) {
        const resources = { listChanged: true, subscribe: scope.era !== 'handshake' }
        const server = { ...testServer, capabilities: { tools: { listChanged: true }, resources } }
        return new TestLink({ ...createTestBackend().behaviour, server }, scope, client)
      },
    },
  )
  const { gateways } = await startNodes([[tenantOf([entry])]])
  const declared = async (opening: object): Promise<unknown> => {
    if (gateways[0] === undefined) throw new Error('there is one')
    const { seen, say } = connect(gateways[0].front, identityOf())
    say({ jsonrpc: '2.0', id: 1, ...opening })
    const answer = await seen.until(({ id }) => id === 1)
    say({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: opening === discover ? { _meta: modern } : {} })
    await seen.until(({ id }) => id === 2)
    return answer
  }
  const subscribes = (subscribe: boolean) => ({ result: { capabilities: { resources: { subscribe } } } })
  for (const opening of [discover, initialize]) await declared(opening)
  expect(await declared(initialize)).toMatchObject(subscribes(false))
  expect(await declared(discover)).toMatchObject(subscribes(true))
  expect(await declared(initialize)).toMatchObject(subscribes(false))
})
