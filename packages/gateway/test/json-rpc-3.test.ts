import { afterEach, describe, expect, it } from 'vitest'
import type { Front } from '@junctor/exchange'
import { payloadOf } from '@junctor/jsonrpc'
import type { GatewayLimits } from '../src/index.ts'
import { post, three } from './support/json-client.ts'
import { createTestBackend } from './support/test-backend.ts'
import type { TestBackend } from './support/test-backend.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()))
})

/** So many nodes, each with a backend of its own. */
async function start(count = 1, limits: Partial<GatewayLimits> = {}) {
  const backends = Array.from({ length: count }, () => createTestBackend())
  for (const { behaviour } of backends) {
    behaviour.call = ({ method }) => ({ kind: 'complete', result: payloadOf({ method }) })
  }
  const nodes = await startNodes(
    backends.map(({ entry }) => [tenantOf([entry])]),
    limits,
  )
  closers.push(() => nodes.close())
  const [one, two] = nodes.gateways.map(({ front }) => front) as [Front, Front]
  return { one, two, backends, backend: backends[0] as TestBackend }
}

const ada = identityOf('ada')
const call = three({ method: 'tools/call', params: { name: 'one__echo' }, id: 1 })

describe('a request of JSON-RPC 3.0 without a session, over HTTP', () => {
  it('is served, in its own version', async () => {
    const { one } = await start()
    const plain = post(one, ada, undefined, call)
    expect(await plain.seen.whole()).toEqual([three({ id: 1, result: { method: 'tools/call' } })])
    expect(plain.origin).toMatchObject({ session: undefined, dialect: '3.0' })
    const streamed = post(one, ada, undefined, { ...call, options: { stream: true } })
    expect(await streamed.seen.whole()).toEqual([three({ stream: { id: 1 }, result: { method: 'tools/call' } })])
  })

  it('has no state: what needs a session says so', async () => {
    const { one } = await start()
    for (const options of [{}, { stream: true }]) {
      const request = three({ method: 'logging/setLevel', params: { level: 'debug' }, id: 'a', options })
      const [answer] = await post(one, ada, undefined, request).seen.whole()
      expect(answer).toMatchObject({
        error: { code: -32_012, title: expect.any(String), data: { reason: 'session_missing' } },
      })
      expect(answer).toMatchObject('stream' in options ? { stream: { id: 'a' } } : { id: 'a' })
    }
  })

  it('is refused as before in JSON-RPC 2.0', async () => {
    const { one } = await start()
    const [answer] = await post(one, ada, undefined, { ...call, jsonrpc: '2.0' }).seen.whole()
    expect(answer).toMatchObject({ jsonrpc: '2.0', error: { data: { reason: 'session_missing' } } })
  })

  it('never uses a link that another principal has used', async () => {
    const { one, backend } = await start()
    for (const subject of ['ada', 'bob', 'ada', 'bob']) {
      await post(one, identityOf(subject), undefined, call).seen.whole()
    }
    const users = backend.links.filter(({ requests }) => requests.length > 0).map(({ scope }) => scope.principal)
    expect(users).toEqual(['local ada', 'local bob'])
    expect(backend.links.map(({ requests }) => requests.length).filter((count) => count > 0)).toEqual([2, 2])
  })

  it('finds its link again when more principals have come than are remembered', async () => {
    const { one, backend } = await start(1, { sessions: 2 })
    for (const subject of ['ada', 'bob', 'eve', 'ada']) {
      await post(one, identityOf(subject), undefined, call).seen.whole()
    }
    const users = backend.links.filter(({ requests }) => requests.length > 0).map(({ scope }) => scope.principal)
    expect(users).toEqual(['local ada', 'local bob', 'local eve'])
  })
})
