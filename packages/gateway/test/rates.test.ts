import type { Front } from '@junctor/contracts'
import type { Exchange, Outcome } from '@junctor/exchange'
import { type JsonObject, type JsonValue, payloadOf, type Request } from '@junctor/jsonrpc'
import { mcpProfile, mountName, type Profile } from '@junctor/protocol'
import { eventually } from '@junctor/testkit'
import { describe, expect, it } from 'vitest'
import type { TenantRates } from '../src/index.ts'
import { post } from './support/json-client.ts'
import { createTestBackend, testServer } from './support/test-backend.ts'
import { openClient, type TestClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const none: TenantRates = { tenant: 'default', ofTenant: undefined, ofPrincipal: undefined, ofTools: [] }
/** A window that is longer than any test. */
const inAnHour = (calls: number) => ({ calls, windowMs: 3_600_000 })
const three = inAnHour(3)

const items: Readonly<Record<string, readonly JsonObject[]>> = {
  tools: [{ name: 'echo' }, { name: 'outer' }],
  prompts: [{ name: 'greet' }],
  resources: [{ uri: 'file:///a' }],
}
const capabilities = { ...testServer.capabilities, prompts: {}, completions: {}, tasks: {} }

/** Two nodes with these rates, and a client whose session has the first node as its home. */
async function start(rates: Partial<TenantRates>, profile: Profile = mcpProfile) {
  const calls: Request[] = []
  const doing: { call: (exchange: Exchange, request: Request) => Outcome | Promise<Outcome> } = {
    call: () => ({ kind: 'complete', result: payloadOf({ content: [] }) }),
  }
  const backends = [0, 1].map(() => createTestBackend({}, { methods: ['weather/now'] }))
  for (const { behaviour } of backends) {
    behaviour.server = { ...testServer, capabilities }
    behaviour.list = async (kind) => (items[kind] ?? []).map((item) => payloadOf(item))
    behaviour.call = (request, exchange) => {
      calls.push(request)
      return doing.call(exchange, request)
    }
  }
  const tenants = backends.map(({ entry }) => [
    { ...tenantOf([entry], 'default', profile), rates: { ...none, ...rates } },
  ])
  const nodes = await startNodes(tenants)
  const [one, two] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  const ada = { ...identityOf('ada', 'default', profile), principal: { issuer: 'api-key', subject: 'ada', key: 'ada' } }
  const here = await openClient(one, ada, {
    protocolVersion: profile.delivery === 'queued' ? '2025-03-26' : '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  })
  const there = await here.at(two)
  calls.length = 0
  return { nodes, one, two, ada, here, there, calls, doing, tenants }
}

const echo = { name: 'one__echo', arguments: {} }

async function ask(client: TestClient, method: string, params: JsonValue = {}): Promise<unknown> {
  const { error } = await client.request(method, params).answer()
  return error === undefined ? 'answered' : ((error.data as { reason?: unknown } | undefined)?.reason ?? error.code)
}

async function askTimes(client: TestClient, times: number): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let count = 0; count < times; count += 1) answers.push(await ask(client, 'tools/call', echo))
  return answers
}

const admitted = 'answered'
const refused = 'too_many_requests'

describe('a request', () => {
  it.each<[string, string, JsonValue]>([
    ['a call of a tool', 'tools/call', echo],
    ['a prompt', 'prompts/get', { name: 'one__greet' }],
    ['a resource that is read', 'resources/read', { uri: 'one+file:///a' }],
    [
      'a completion',
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'one__greet' }, argument: { name: 'a', value: '' } },
    ],
    ['a method outside MCP', 'weather/now', {}],
  ])('for a backend counts, and over the rate no backend sees it: %s', async (_, method, params) => {
    const { here, calls } = await start({ ofTenant: inAnHour(1) })
    expect(await ask(here, method, params)).toBe(admitted)
    expect(await ask(here, method, params)).toBe(refused)
    expect(calls.filter((call) => call.method === method)).toHaveLength(1)
  })

  it('that the gateway answers itself does not count', async () => {
    const { here } = await start({ ofTenant: inAnHour(1) })
    for (const method of ['ping', 'tools/list', 'resources/list', 'prompts/list', 'tasks/list']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect([method, await ask(here, method)]).toEqual([method, admitted])
    }
    expect(await ask(here, 'tools/call', { name: 'one__nothing' })).toBe('unknown_tool')
    expect(await ask(here, 'tools/call', echo)).toBe(admitted)
  })

  it('over the rate gets the error of the catalogue, with the time until there is room', async () => {
    const { here } = await start({ ofPrincipal: inAnHour(1) })
    await ask(here, 'tools/call', echo)
    const sink = here.request('tools/call', echo)
    const { error } = await sink.answer()
    expect(sink.status).toBe(429)
    expect(error).toMatchObject({
      code: -32_000,
      message: 'Too many requests: at most 1 in 3600 s of one caller',
      data: {
        reason: refused,
        retryable: true,
        retryAfterMs: expect.any(Number),
        limit: { of: 'principal', calls: 1, windowMs: 3_600_000 },
      },
    })
  })

  it('is answered in the same turn as without rates', async () => {
    const { here } = await start({ ofTenant: inAnHour(2), ofPrincipal: three })
    await ask(here, 'tools/call', echo)
    expect(here.request('tools/call', echo)).toMatchObject({ ended: true, status: undefined })
    expect(here.request('tools/call', echo)).toMatchObject({ ended: true, status: 429 })
  })

  it('at the endpoint of a single backend counts for its tenant', async () => {
    const { one, ada, here } = await start({ ofTenant: three, ofTools: [{ pattern: 'one:echo', rate: inAnHour(2) }] })
    const single = await openClient(one, {
      ...ada,
      tenant: { name: mountName('default', 'one'), profile: mcpProfile },
    })
    expect(await ask(single, 'tools/call', { name: 'echo' })).toBe(admitted)
    expect(await askTimes(here, 2)).toEqual([admitted, refused])
    expect(await ask(single, 'prompts/get', { name: 'greet' })).toBe(admitted)
    expect(await ask(here, 'prompts/get', { name: 'one__greet' })).toBe(refused)
  })

  it('that a tool makes of another tool counts', async () => {
    const { here, doing } = await start({ ofTools: [{ pattern: 'one:echo', rate: inAnHour(1) }] })
    doing.call = async (exchange, { params }) => {
      if (JSON.stringify(params?.value()).includes('echo'))
        return { kind: 'complete', result: payloadOf({ content: [] }) }
      const answer = await exchange.callTool(payloadOf({ name: 'one:echo' }))
      return 'error' in answer ? { kind: 'error', error: answer.error } : { kind: 'complete', result: answer.result }
    }
    const outer = { name: 'one__outer' }
    expect(await ask(here, 'tools/call', outer)).toBe(admitted)
    expect(await ask(here, 'tools/call', outer)).toBe(refused)
  })
})

describe('a task', () => {
  it('counts when it is submitted, and not again when it runs', async () => {
    const { here, calls } = await start({ ofTenant: inAnHour(2) })
    const task = { ...echo, task: {} }
    const answers = [await ask(here, 'tools/call', task), await ask(here, 'tools/call', task)]
    expect(answers).toEqual([admitted, admitted])
    expect(await ask(here, 'tools/call', task)).toBe(refused)
    await eventually(() => expect(calls).toHaveLength(2))
  })
})

describe('a request whose answer comes later', () => {
  const queuing: Profile = { ...mcpProfile, delivery: 'queued' }
  const call = (id: number, params: JsonObject = echo): JsonObject => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params,
  })

  it('counts when it is submitted, at any node, and not again when it runs', async () => {
    const { one, two, ada, here, there, calls } = await start(
      { ofTools: [{ pattern: 'one:e*', rate: three }] },
      queuing,
    )
    const posts = [
      post(one, ada, here.session, call(1)),
      post(one, ada, here.session, call(2, { name: 'one__outer' })),
      post(one, ada, here.session, call(3)),
      post(one, ada, here.session, call(4)),
      post(one, ada, here.session, call(5)),
    ]
    const bodies = await Promise.all(posts.map(({ seen }) => seen.whole()))
    expect(posts.map(({ statuses }) => statuses)).toEqual([[202], [202], [202], [202], [429]])
    expect(bodies[4]).toMatchObject([{ id: 5, error: { data: { reason: refused, limit: { of: 'tools' } } } }])
    await eventually(() => expect(calls).toHaveLength(4))
    // The other node has received its counts, and knows which tool has the name.
    await eventually(async () => {
      const late = post(two, ada, there.session, call(6))
      await late.seen.whole()
      expect(late.statuses).toEqual([429])
    })
  })

  it('that runs at another node than the one that has accepted it counts once', async () => {
    const count = 20
    const { two, ada, there, calls } = await start({ ofTenant: inAnHour(count) }, queuing)
    const posts = Array.from({ length: count + 1 }, (_, index) => post(two, ada, there.session, call(index + 1)))
    await Promise.all(posts.map(({ seen }) => seen.whole()))
    expect(posts.filter(({ statuses }) => statuses.includes(202))).toHaveLength(count)
    await eventually(() => expect(calls).toHaveLength(count))
  })

  it('does not count when it is about lists', async () => {
    const { one, ada, here } = await start({ ofTenant: inAnHour(1) }, queuing)
    for (const id of [1, 2, 3]) {
      const { seen, statuses } = post(one, ada, here.session, { jsonrpc: '2.0', id, method: 'tools/list' })
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await seen.whole()
      expect(statuses).toEqual([202])
    }
    const { seen, statuses } = post(one, ada, here.session, call(4))
    await seen.whole()
    expect(statuses).toEqual([202])
  })

  it('counts once when it is repeated with its key', async () => {
    const { one, ada, here, calls } = await start({ ofTenant: inAnHour(2) })
    const keyed = (id: number, key: string): JsonObject => ({
      jsonrpc: '3.0',
      id,
      method: 'tools/call',
      params: echo,
      options: { idempotencyKey: key },
    })
    const statuses: (readonly (number | undefined)[])[] = []
    for (const [id, key] of [
      [1, 'a'],
      [2, 'a'],
      [3, 'a'],
      [4, 'b'],
      [5, 'c'],
    ] as const) {
      const posted = post(one, ada, here.session, keyed(id, key), true)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await posted.seen.whole()
      statuses.push(posted.statuses)
    }
    expect(statuses).toEqual([[202], [202], [202], [202], [429]])
    await eventually(() => expect(calls).toHaveLength(2))
  })
})

describe('with two nodes', () => {
  it('a request that one node forwards to the other counts once', async () => {
    const { here, there } = await start({ ofTenant: inAnHour(4) })
    expect(await askTimes(there, 3)).toEqual([admitted, admitted, admitted])
    expect(await askTimes(here, 2)).toEqual([admitted, refused])
    expect(await askTimes(there, 1)).toEqual([refused])
  })

  it('the calls that one node has admitted are missing at the other', async () => {
    const { here, two, ada } = await start({ ofTenant: three })
    const other = await openClient(two, ada)
    expect(await askTimes(here, 3)).toEqual([admitted, admitted, admitted])
    // The counts arrive at the other node only when they are sent.
    await eventually(async () => expect(await ask(other, 'tools/call', echo)).toBe(refused))
  })

  it('the nodes admit the limit together in a steady load, within a tenth', async () => {
    // There are so many calls that those of a few milliseconds, which the nodes have not exchanged yet, are few of them.
    const limit = 4_000
    const { here, two, ada } = await start({ ofTenant: inAnHour(limit) })
    const other = await openClient(two, ada)
    let count = 0
    for (let turn = 0; turn < limit; turn += 1) {
      // oxlint-disable-next-line no-await-in-loop -- as fast as a client that waits for its answers
      const answers = [await ask(here, 'tools/call', echo), await ask(other, 'tools/call', echo)]
      count += answers.filter((answer) => answer === admitted).length
      // oxlint-disable-next-line no-await-in-loop -- messages between nodes arrive between the turns
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(count).toBeGreaterThanOrEqual(limit)
    expect(count).toBeLessThanOrEqual(limit * 1.1)
  })
})

describe('new rates', () => {
  it('apply immediately, and those that have not changed keep their counts', async () => {
    const { nodes: running, here, tenants } = await start({ ofTenant: three, ofPrincipal: inAnHour(1) })
    expect(await askTimes(here, 2)).toEqual([admitted, refused])
    const update = (rates: TenantRates | undefined) =>
      running.gateways[0]?.update((tenants[0] ?? []).map((tenant) => ({ ...tenant, rates })))
    await update({ ...none, ofTenant: { ...three } })
    expect(await askTimes(here, 3)).toEqual([admitted, admitted, refused])
    await update(undefined)
    expect(await askTimes(here, 2)).toEqual([admitted, admitted])
    await update({ ...none, ofTenant: inAnHour(1) })
    expect(await askTimes(here, 2)).toEqual([admitted, refused])
  })
})
