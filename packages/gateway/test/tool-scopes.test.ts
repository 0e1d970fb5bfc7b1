import type { Front } from '@junctor/contracts'
import type { Exchange, Outcome } from '@junctor/exchange'
import { type JsonObject, payloadOf, type Request } from '@junctor/jsonrpc'
import { mcpProfile, mountName, type Profile } from '@junctor/protocol'
import { eventually } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { post } from './support/json-client.ts'
import { createTestBackend, testServer } from './support/test-backend.ts'
import { openClient, type TestClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const metadataUrl = 'https://gw.example.com/.well-known/oauth-protected-resource/mcp'
const tools = ['echo', 'outer', 'delete'].map((name) => payloadOf({ name, inputSchema: { type: 'object' } }))

/** Two nodes where the tool `delete` needs a scope, and the client of a session with the first as its home. */
async function start(scopes: readonly string[] | undefined, profile: Profile = mcpProfile) {
  const ran: string[] = []
  const backends = [0, 1].map(() => createTestBackend())
  for (const { behaviour } of backends) {
    behaviour.server = { ...testServer, capabilities: { tools: {}, tasks: {} } }
    behaviour.list = async (kind) => (kind === 'tools' ? tools : [])
    behaviour.call = async (request: Request, exchange: Exchange): Promise<Outcome> => {
      const { name } = (request.params?.value() ?? {}) as { name: string }
      ran.push(name)
      if (name !== 'outer') return { kind: 'complete', result: payloadOf({ content: [] }) }
      const answer = await exchange.callTool(payloadOf({ name: 'one:delete' }))
      return 'error' in answer ? { kind: 'error', error: answer.error } : { kind: 'complete', result: answer.result }
    }
  }
  const toolScopes = { needed: [{ pattern: 'one:delete', scopes: ['delete'] }], always: ['mcp'], metadataUrl }
  const tenants = backends.map(({ entry }) => [{ ...tenantOf([entry], 'default', profile), toolScopes }])
  const nodes = await startNodes(tenants)
  const [one, two] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  const limited = (granted: readonly string[] | undefined) => ({
    ...identityOf('ada', 'default', profile),
    ...(granted !== undefined && { scopes: granted }),
  })
  const opening = {
    protocolVersion: profile.delivery === 'queued' ? '2025-03-26' : '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  const here = await openClient(one, limited(scopes), opening)
  return { one, two, here, limited, ran, opening }
}

async function ask(client: TestClient, name: string, more: JsonObject = {}): Promise<unknown> {
  const { error, result } = await client.request('tools/call', { name, ...more }).answer()
  return error === undefined ? { result } : (error.data as { reason?: string } | undefined)?.reason
}

const done = { result: expect.anything() }

it('a call needs the scopes of its tool, at the home of its session and elsewhere', async () => {
  const { two, here, ran } = await start([])
  const there = await here.at(two)
  for (const client of [here, there]) {
    expect(await ask(client, 'one__echo')).toEqual(done)
    expect(await ask(client, 'one__delete')).toBe('insufficient_scope')
  }
  expect(ran).toEqual(['echo', 'echo'])
})

it('callers with the scope, and callers whom scopes do not limit, may call it', async () => {
  const { here } = await start(['delete'])
  expect(await ask(here, 'one__delete')).toEqual(done)
  const free = await start(undefined)
  expect(await ask(free.here, 'one__delete')).toEqual(done)
})

it('each request of a session has the scopes of its own token', async () => {
  const { one, here, limited } = await start([])
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'one__delete' } }
  const asked = [[], ['delete'], [], undefined].map((scopes, id) =>
    post(one, limited(scopes), here.session, { ...call, id }),
  )
  await Promise.all(asked.map(({ seen }) => seen.whole()))
  expect(asked.map(({ statuses }) => statuses)).toEqual([[403], [undefined], [403], [undefined]])
})

it('a tool that calls another one needs the scopes of that one, also as a task', async () => {
  const { here, ran } = await start([])
  expect(await ask(here, 'one__outer')).toBe('insufficient_scope')
  const { result } = await here.request('tools/call', { name: 'one__outer', task: {} }).answer()
  const { taskId } = (result as { task: { taskId: string } }).task
  await eventually(async () => {
    const { error } = await here.request('tasks/result', { taskId }).answer()
    expect(error).toMatchObject({ data: { reason: 'insufficient_scope' } })
  })
  expect(ran).toEqual(['outer', 'outer'])
})

it('no task and no job is made of a call that lacks a scope', async () => {
  const { here, ran } = await start([])
  expect(await ask(here, 'one__delete', { task: {} })).toBe('insufficient_scope')
  const queuing = await start([], { ...mcpProfile, delivery: 'queued' })
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'one__delete' } }
  const { seen, statuses } = post(queuing.one, queuing.limited([]), queuing.here.session, call)
  expect(await seen.whole()).toMatchObject([{ error: { data: { reason: 'insufficient_scope', scope: 'mcp delete' } } }])
  expect(statuses).toEqual([403])
  expect([...ran, ...queuing.ran]).toEqual([])
})

it('at the endpoint of one backend, the error leads to the metadata of this endpoint', async () => {
  const { one, limited, opening } = await start([])
  const tenant = { name: mountName('default', 'one'), profile: mcpProfile }
  const single = await openClient(one, { ...limited([]), tenant }, opening)
  const { error } = await single.request('tools/call', { name: 'delete' }).answer()
  expect(error).toMatchObject({ data: { resource_metadata: `${metadataUrl}/-/one` } })
})
