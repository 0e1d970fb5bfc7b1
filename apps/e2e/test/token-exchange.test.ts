import { exportJWK, exportPKCS8, generateKeyPair } from 'jose'
import { inspect } from 'node:util'
import { startScriptedServer } from '@junctor/testkit'
import { expect, onTestFinished } from 'vitest'
import { furtherScope } from '../fixtures/authorization-server.ts'
import { exchangeClient } from '../fixtures/exchange-authority.ts'
import { secondsFromNow } from '../fixtures/issuer.ts'
import type { Cell } from '../src/cell.ts'
import { callTool, textResult, toolNames } from '../src/credentials/call-tool.ts'
import { apiKey, bearing, type ExchangeScene, withExchange } from '../src/credentials/with-exchange.ts'
import { createHttpWire } from '../src/http-wire.ts'
import { movableClock } from '../src/movable-clock.ts'
import { openSessionAtNodes } from '../src/session-at-nodes.ts'
import { openStatelessClient } from '../src/stateless-client.ts'
import { verifies } from '../src/verifies.ts'
import type { WireClient } from '../src/wire-client.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const
const stateless = { ways: ['http'], revisions: ['2026-07-28'] } as const

const all = ['api__hold', 'api__sum', 'api__whoami']

/** How long a token lasts that the test lets expire: longer than a busy machine needs for what comes before. */
const lifeSeconds = 60

/** The backend at the gateways and, where nodes share a server of NATS, on a worker. */
const places = (cell: Cell) => (cell.nodes === 2 ? ['gateways', 'workers'] : ['gateways'])

/** The server has seen nothing of the callers, and the log has no token. */
function expectNoPassthrough({ server, records, authority }: ExchangeScene, tokens: readonly string[]): void {
  const seen = JSON.stringify(server.seen)
  const logged = inspect(records, { depth: 20 })
  for (const token of tokens) {
    expect(seen).not.toContain(token)
    expect(logged).not.toContain(token)
  }
  for (const { subjectToken } of authority.exchanges) expect(tokens).toContain(subjectToken)
}

verifies('CRED-8', http, async (cell) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const signer = { ...(await exportJWK(publicKey)), alg: 'ES256' }
  const key = { clientId: 'signer', clientSecret: undefined, privateKey: await exportPKCS8(privateKey) }
  for (const runsOn of places(cell)) {
    for (const proof of [{}, key]) {
      const backend = (_server: unknown, { url }: { url: string }) => ({
        runsOn,
        auth: { tokenExchange: { issuer: url, ...exchangeClient, ...proof } },
      })
      await withExchange(cell, { signer, backend }, async (scene) => {
        const { client, issuer, authority, server } = scene
        const [hers, his] = [issuer.token(), issuer.token({ sub: 'bob' })]
        const [ada, again, bob] = await Promise.all([bearing(hers), bearing(hers), bearing(his)].map(client))
        const clients = [ada, again, bob] as [WireClient, WireClient, WireClient]
        expect(await Promise.all(clients.map(toolNames))).toEqual([all, all, all])
        const calls = Array.from({ length: 4 }, () => clients.map((one) => callTool(one, 'api__whoami'))).flat()
        const [first, second, third] = [textResult('ada'), textResult('ada'), textResult('bob')]
        const expected = Array.from({ length: 4 }, () => [first, second, third]).flat()
        expect(await Promise.all(calls)).toEqual(expected)
        // Each node that has links exchanges each token once.
        const of = (name: string) => authority.exchanges.filter(({ subject }) => subject === name)
        const holders = runsOn === 'workers' ? 1 : cell.nodes
        expect(of('ada').length).toBeLessThanOrEqual(holders)
        expect(of('bob').length).toBeLessThanOrEqual(holders)
        expect(new Set(authority.exchanges.map(({ resource }) => resource))).toEqual(new Set([server.url]))
        // A tool that needs more scopes gets them, if the authorization server gives them.
        expect(await callTool(ada as WireClient, 'api__sum')).toEqual(textResult('4'))
        expect(authority.exchanges.at(-1)).toMatchObject({ subject: 'ada', scope: furtherScope })
        expectNoPassthrough(scene, [hers, his])
      })
    }
  }
})

verifies('CRED-8', stateless, async (cell) => {
  for (const runsOn of places(cell)) {
    await withExchange(cell, { backend: () => ({ runsOn }) }, async (scene) => {
      const { gateway, issuer } = scene
      const [hers, his] = [issuer.token({ client_id: 'laptop' }), issuer.token({ sub: 'bob' })]
      const other = issuer.token({ client_id: 'phone' })
      const open = (token: string) => openStatelessClient(gateway, cell, bearing(token))
      const clients = await Promise.all([hers, his, other].map(open))
      const names = [textResult('ada with laptop'), textResult('bob'), textResult('ada with phone')]
      for (const _ of gateway.urls) {
        const results = await Promise.all(clients.map((one) => callTool(one, 'api__whoami')))
        for (const [index, result] of results.entries()) expect(result).toMatchObject(names[index] as object)
      }
      await Promise.all(clients.map((one) => one.close()))
      expectNoPassthrough(scene, [hers, his, other])
    })
  }
})

verifies('CRED-9', http, async (cell) => {
  const trap = await startScriptedServer((_request, response) => response.writeHead(404).end())
  onTestFinished(() => trap.close())
  const accessToken = 'urn:ietf:params:oauth:token-type:access_token'
  const answers: ((usual: object, subjectToken: string) => unknown)[] = [
    () => null,
    () => [],
    (usual) => ({ ...usual, access_token: null }),
    (usual) => ({ ...usual, token_type: null }),
    (usual) => ({ ...usual, token_type: 'N_A' }),
    (usual) => ({ ...usual, token_type: 'DPoP' }),
    (usual) => ({ ...usual, issued_token_type: null }),
    (usual) => ({ ...usual, issued_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }),
    (usual) => ({ ...usual, expires_in: 'never' }),
    (usual) => ({ ...usual, access_token: 'two words' }),
    (_usual, subjectToken) => ({ access_token: subjectToken, issued_token_type: accessToken, token_type: 'Bearer' }),
  ]
  await withExchange(cell, { named: trap.origin }, async (scene) => {
    const { client, issuer, authority, server } = scene
    const [hers, his] = [issuer.token(), issuer.token({ sub: 'bob' })]
    const others: string[] = []
    const unavailable = { data: { reason: 'backend_unavailable', backend: 'api' } }
    for (const changed of answers) {
      authority.changed = changed
      // A failure is remembered for the token.
      const other = issuer.token({ client_id: `other-${others.push('')}` })
      others.splice(-1, 1, other)
      const asked = authority.exchanges.length
      const one = await client(bearing(other))
      expect(await toolNames(one)).toEqual(['api__connect'])
      expect(await callTool(one, 'api__connect')).toMatchObject(unavailable)
      expect(authority.exchanges.length).toBeGreaterThan(asked)
    }
    expect(server.seen).toEqual([])
    authority.changed = undefined
    authority.down = true
    const ada = await client(bearing(hers))
    expect(await callTool(ada, 'api__connect')).toMatchObject(unavailable)
    authority.down = false
    authority.refused.set('bob', 'access_denied')
    const bob = await client(bearing(his))
    expect(await callTool(bob, 'api__connect')).toMatchObject({
      message: expect.stringContaining('access_denied'),
      data: { reason: 'forbidden' },
    })
    // The answer is good now: the first call that asks again connects.
    await expect
      .poll(() => callTool(ada, 'api__connect'))
      .toMatchObject(textResult('api is connected. List its tools again.'))
    await expect.poll(() => toolNames(ada)).toEqual(all)
    expect(await callTool(ada, 'api__whoami')).toEqual(textResult('ada'))
    expect(await toolNames(bob)).toEqual(['api__connect'])
    // Nothing was sent to the server that the backend names.
    expect(trap.received).toEqual([])
    expectNoPassthrough(scene, [hers, his, ...others])
  })
})

verifies('CRED-9', http, async (cell) => {
  const auth = { apiKeys: { ci: apiKey('key-of-ci') } }
  await withExchange(cell, { auth }, async ({ client, authority, server }) => {
    const ci = await client(bearing('key-of-ci'))
    expect(await toolNames(ci)).toEqual(['api__connect'])
    expect(await callTool(ci, 'api__connect')).toMatchObject({ data: { reason: 'token_needed', backend: 'api' } })
    expect([authority.exchanges, server.seen]).toEqual([[], []])
  })
})

verifies('CRED-10', http, async (cell) => {
  for (const runsOn of places(cell)) {
    await withExchange(cell, { backend: () => ({ runsOn }) }, async (scene) => {
      const { gateway, issuer, authority } = scene
      const [laptop, phone] = ['laptop', 'phone'].map((name) => issuer.token({ client_id: name })) as [string, string]
      const his = issuer.token({ sub: 'bob' })
      const session = await openSessionAtNodes(gateway.urls, bearing(laptop))
      onTestFinished(() => session.close())
      const whoami = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'api__whoami', arguments: {} } } as const
      const revision = { 'mcp-protocol-version': '2025-11-25' }
      const wireOf = (url: string, token: string) => {
        const wire = createHttpWire([url], { ...revision, ...bearing(token).headers })
        wire.session = session.id
        onTestFinished(() => wire.close())
        return wire
      }
      for (const [index, node] of session.nodes.entries()) {
        const url = gateway.urls[index] as string
        expect(await callTool(node, 'api__whoami')).toEqual(textResult('ada with laptop'))
        // Another person with this session's id.
        expect((await wireOf(url, his).post({ ...whoami, id: 1 })).status).toBe(404)
        // Another client of the same person, at the same time: each with its own token.
        const second = wireOf(url, phone)
        const results = await Promise.all(
          Array.from({ length: 6 }, async (_, number) => {
            if (number % 2 === 0) return [textResult('ada with laptop'), await callTool(node, 'api__whoami')]
            await second.send({ ...whoami, id: number })
            const { message } = await second.until((one) => one.message['id'] === number)
            return [textResult('ada with phone'), message['result']]
          }),
        )
        for (const [expected, result] of results) expect(result).toEqual(expected)
      }
      expect(authority.exchanges.map(({ subject }) => subject)).not.toContain('bob')
      expectNoPassthrough(scene, [laptop, phone])
    })
  }
})

verifies('CRED-10', http, async (cell) => {
  const clock = movableClock()
  for (const runsOn of places(cell)) {
    clock.set(0)
    const backend = () => ({ runsOn, concurrency: 1 })
    await withExchange(cell, { backend }, async (scene) => {
      const { gateway, issuer, authority, server } = scene
      const short = issuer.token({ exp: secondsFromNow(lifeSeconds) })
      const session = await openSessionAtNodes(gateway.urls, bearing(short))
      onTestFinished(() => session.close())
      const at = (index: number) => session.nodes.at(index) as (typeof session.nodes)[0]
      expect(await callTool(at(-1), 'api__whoami')).toEqual(textResult('ada'))
      // One job holds the only place until the token has expired; the other one waits for it.
      const submit = async (name: string) => {
        const { result } = await at(-1).request('tools/call', { name, arguments: {}, task: { ttl: 600_000 } })
        return (result as { task: { taskId: string } }).task
      }
      const holding = await submit('api__hold')
      const waiting = await submit('api__whoami')
      await expect.poll(() => server.bodies.some((body) => body.includes('"hold"'))).toBe(true)
      clock.set(lifeSeconds * 1000)
      const exchanged = authority.exchanges.length
      server.release()
      // The gateway allows clocks to differ by half a minute; the token is not used for others that long.
      const outcomeOf = async ({ taskId }: { taskId: string }) => {
        const { result, error } = await at(0).request('tasks/result', { taskId })
        return result ?? error
      }
      expect(await outcomeOf(holding)).toMatchObject(textResult('released'))
      const needed = {
        message: expect.stringContaining('Your access token has expired'),
        data: { reason: 'token_needed', backend: 'api' },
      }
      expect(await outcomeOf(waiting)).toMatchObject(needed)
      for (const node of session.nodes) expect(await callTool(node, 'api__whoami')).toMatchObject(needed)
      expect(authority.exchanges.length).toBe(exchanged)
      // Another token of the same person: the session goes on, at every node.
      const fresh = issuer.token()
      for (const url of gateway.urls) {
        const wire = createHttpWire([url], { 'mcp-protocol-version': '2025-11-25', ...bearing(fresh).headers })
        wire.session = session.id
        onTestFinished(() => wire.close())
        await wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'api__whoami', arguments: {} } })
        const { message } = await wire.until((one) => one.message['id'] === 1)
        expect(message['result']).toEqual(textResult('ada'))
      }
      expect(authority.exchanges.length).toBe(exchanged + 1)
      expectNoPassthrough(scene, [short, fresh])
    })
  }
})

verifies('CRED-14', http, async (cell) => {
  for (const runsOn of places(cell)) {
    await withExchange(cell, { backend: () => ({ runsOn }) }, async ({ client, issuer, authority }) => {
      const holders = runsOn === 'workers' ? 1 : cell.nodes
      const hers = issuer.token()
      authority.refused.set('ada', 'access_denied')
      const began = performance.now()
      const [one, two, bob] = await Promise.all([hers, hers, issuer.token({ sub: 'bob' })].map(bearing).map(client))
      const refused = {
        message: expect.stringContaining('access_denied'),
        data: { reason: 'forbidden', backend: 'api' },
      }
      for (let round = 0; round < 8; round += 1) {
        const results = await Promise.all([one, two].map((each) => callTool(each as WireClient, 'api__connect')))
        for (const result of results) expect(result).toMatchObject(refused)
        expect(await callTool(bob as WireClient, 'api__whoami')).toEqual(textResult('bob'))
      }
      // One request of each node, and another one every five seconds.
      const most = holders * (1 + Math.floor((performance.now() - began) / 5_000))
      expect(authority.refusals.length).toBeGreaterThan(0)
      expect(authority.refusals.length).toBeLessThanOrEqual(most)
      authority.refused.clear()
      // Another token of the same person was not refused. `null` for what the server does not have is no fault.
      authority.changed = (usual) => ({ ...usual, refresh_token: null, scope: null })
      const three = await client(bearing(issuer.token({ client_id: 'phone' })))
      expect(await callTool(three, 'api__whoami')).toEqual(textResult('ada with phone'))
      // A tool that needs more scopes than this caller gets leaves the other tools as they are.
      authority.refused.set('ada with phone', 'invalid_scope')
      const before = authority.refusals.length
      const since = performance.now()
      for (let round = 0; round < 5; round += 1) {
        expect(await callTool(three, 'api__sum')).toMatchObject({ data: { backend: 'api' } })
        expect(await callTool(three, 'api__whoami')).toEqual(textResult('ada with phone'))
      }
      const mostMore = holders * (1 + Math.floor((performance.now() - since) / 5_000))
      expect(authority.refusals.length - before).toBeGreaterThan(0)
      expect(authority.refusals.length - before).toBeLessThanOrEqual(mostMore)
    })
  }
})

verifies(['REL-1', 'CRED-10'], http, async (cell) => {
  const clock = movableClock()
  for (const runsOn of places(cell)) {
    clock.set(0)
    await withExchange(cell, { backend: () => ({ runsOn }) }, async ({ client, issuer, authority, server }) => {
      const ada = await client(bearing(issuer.token({ exp: secondsFromNow(lifeSeconds) })))
      const bob = await client(bearing(issuer.token({ sub: 'bob' })))
      for (const [one, name] of [
        [ada, 'ada'],
        [bob, 'bob'],
      ] as const) {
        expect(await callTool(one, 'api__whoami')).toEqual(textResult(name))
        // What was exchanged is used again.
        const exchanged = authority.exchanges.length
        server.cutAfter = Promise.resolve()
        expect(await callTool(one, 'api__whoami')).toEqual(textResult(name))
        expect(server.cutAfter).toBeUndefined()
        expect(authority.exchanges.length).toBe(exchanged)
      }
      // The caller's token expires before the connection is lost: nothing is sent for it any more.
      const exchanged = authority.exchanges.length
      const cut = Promise.withResolvers<void>()
      server.cutAfter = cut.promise
      const late = callTool(ada, 'api__whoami')
      await expect.poll(() => server.cutAfter === undefined).toBe(true)
      clock.set(lifeSeconds * 1000)
      const sent = server.bodies.length
      cut.resolve()
      expect(await late).toMatchObject({ data: { reason: 'token_needed', backend: 'api' } })
      expect([server.bodies.length, authority.exchanges.length]).toEqual([sent, exchanged])
      expect(await callTool(bob, 'api__whoami')).toEqual(textResult('bob'))
    })
  }
})
