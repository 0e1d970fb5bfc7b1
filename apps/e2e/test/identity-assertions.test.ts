import { inspect } from 'node:util'
import { decodeJwt } from 'jose'
import { expect, onTestFinished } from 'vitest'
import { startAssertionIssuer } from '../fixtures/assertion-issuer.ts'
import { startAssertionTaker } from '../fixtures/assertion-taker.ts'
import type { Cell } from '../src/cell.ts'
import { callTool, textResult, toolNames } from '../src/credentials/call-tool.ts'
import { assertionClient, type AssertionScene, withAssertions } from '../src/credentials/with-assertions.ts'
import { bearing } from '../src/credentials/with-exchange.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

const [whoami, connect] = ['api__whoami', 'api__connect']
const refusedWith = (error: string) => ({
  message: expect.stringContaining(error),
  data: { reason: 'forbidden', backend: 'api' },
})
const unavailable = { data: { reason: 'backend_unavailable', backend: 'api' } }

/** The backend at the gateways and, where nodes share a server of NATS, on a worker. */
const places = (cell: Cell) => (cell.nodes === 2 ? ['gateways', 'workers'] : ['gateways'])

const presented = ({ server }: AssertionScene) => server.received.filter((line) => line === 'POST /oauth/token').length

/** The log has no token, and no assertion: all of them are JWTs. */
const expectNoTokens = ({ records }: AssertionScene) => expect(inspect(records, { depth: 20 })).not.toContain('eyJ')

verifies('CRED-11', http, async (cell) => {
  for (const runsOn of places(cell)) {
    await withAssertions(cell, { backend: { runsOn } }, async (scene) => {
      const { client, issuer, identityProvider, server } = scene
      const [hers, his] = [issuer.token(), issuer.token({ sub: 'bob' })]
      const clients = await Promise.all([bearing(hers), bearing(hers), bearing(his)].map(client))
      expect(await Promise.all(clients.map(toolNames))).toEqual([[whoami], [whoami], [whoami]])
      const calls = Array.from({ length: 4 }, () => clients.map((one) => callTool(one, whoami))).flat()
      const names = ['corp:ada', 'corp:ada', 'corp:bob'].map(textResult)
      expect(await Promise.all(calls)).toEqual(Array.from({ length: 4 }, () => names).flat())
      // Each node that has links exchanges each token once, and presents each assertion once.
      const { exchanges } = identityProvider
      const holders = runsOn === 'workers' ? 1 : cell.nodes
      for (const [name, token] of [
        ['ada', hers],
        ['bob', his],
      ] as const) {
        const own = exchanges.filter(({ subject }) => subject === name)
        expect(own.length).toBeGreaterThan(0)
        expect(own.length).toBeLessThanOrEqual(holders)
        expect(new Set(own.map(({ subjectToken }) => subjectToken))).toEqual(new Set([token]))
      }
      expect(presented(scene)).toBe(exchanges.length)
      const target = { audience: server.url, resource: `${server.url}/mcp`, scope: 'mcp' }
      for (const exchange of exchanges) expect(exchange).toMatchObject(target)
      expectNoTokens(scene)
    })
  }
})

verifies('CRED-11', http, async (cell) => {
  // Tokens that count as old as soon as they are issued: each request needs an assertion of its own.
  await withAssertions(cell, { login: { accessToken: 10 } }, async (scene) => {
    const { client, issuer, identityProvider } = scene
    const ada = await client(bearing(issuer.token()))
    const before = identityProvider.exchanges.length
    for (let count = 1; count <= 3; count += 1) {
      expect(await callTool(ada, whoami)).toEqual(textResult('corp:ada'))
      expect(identityProvider.exchanges.length).toBeGreaterThanOrEqual(before + count)
    }
    expect(presented(scene)).toBe(identityProvider.exchanges.length)
  })
})

verifies('CRED-11', http, async (cell) => {
  const stranger = await startAssertionIssuer()
  onTestFinished(() => stranger.close())
  await withAssertions(cell, {}, async (scene) => {
    const { client, issuer, identityProvider, server } = scene
    const hers = issuer.token()
    const right = (claims: object = {}, header: object = {}) => {
      const own = { iss: identityProvider.url, aud: server.url, client_id: assertionClient.clientId }
      return stranger.assertion({ ...own, resource: `${server.url}/mcp`, ...claims }, header)
    }
    const access = 'urn:ietf:params:oauth:token-type:access_token'
    const withToken = (token: unknown) => (usual: object) => ({ ...usual, access_token: token })
    // The gateway itself sends none of these to the authorization server.
    const answers: ((usual: object, subjectToken: string) => unknown)[] = [
      () => null,
      (usual) => ({ ...usual, token_type: null }),
      (usual) => ({ ...usual, token_type: 'Bearer' }),
      (usual) => ({ ...usual, issued_token_type: null }),
      (usual) => ({ ...usual, issued_token_type: access }),
      () => ({ access_token: 'opaque', issued_token_type: access, token_type: 'Bearer' }),
      (usual, subjectToken) => ({ ...usual, access_token: subjectToken }),
      withToken(null),
      withToken('opaque'),
      withToken(issuer.token({ aud: server.url })),
      withToken(await right({}, { typ: 'JWT' })),
      withToken(await right({}, { typ: null })),
      withToken(await right({ aud: 'https://elsewhere.test' })),
      withToken(await right({ aud: [server.url, 'https://elsewhere.test'] })),
      withToken(await right({ aud: null })),
    ]
    const ada = await client(bearing(hers))
    const before = presented(scene)
    let asked = identityProvider.exchanges.length
    // A failure is remembered for the token.
    const nextOther = () => client(bearing(issuer.token({ sub: 'eve', client_id: `other-${(asked += 1)}` })))
    for (const changed of answers) {
      identityProvider.changed = changed
      const other = await nextOther()
      expect(await toolNames(other)).toEqual([connect])
      expect(await callTool(other, connect)).toMatchObject(unavailable)
      expect(identityProvider.exchanges.length).toBeGreaterThanOrEqual(asked)
    }
    expect(presented(scene)).toBe(before)
    // One of another key looks right to the gateway: the authorization server refuses it.
    for (const claims of [{}, { client_id: 'other' }, { resource: 'https://elsewhere.test/mcp' }]) {
      identityProvider.changed = async (usual) => ({ ...usual, access_token: await right(claims) })
      expect(await callTool(await nextOther(), connect)).toMatchObject(refusedWith('invalid_grant'))
    }
    expect(presented(scene)).toBeGreaterThan(before)
    // One that the identity provider has signed, but which was used.
    const used: string[] = []
    identityProvider.changed = (usual) => {
      used.push((usual as { access_token: string }).access_token)
      return { ...usual, access_token: used[0] }
    }
    const other = await client(bearing(issuer.token({ sub: 'eve' })))
    expect(await callTool(other, whoami)).toEqual(textResult('corp:eve'))
    const bob = await client(bearing(issuer.token({ sub: 'bob' })))
    expect(await callTool(bob, connect)).toMatchObject(refusedWith('invalid_grant'))
    expect(decodeJwt(used[0] ?? '').sub).toBe('eve')
    identityProvider.changed = undefined
    // Whom the identity provider refuses. Others do not notice.
    for (const error of ['access_denied', 'interaction_required']) {
      identityProvider.refused.set(`bob with ${error}`, error)
      const refused = await client(bearing(issuer.token({ sub: 'bob', client_id: error })))
      expect(await callTool(refused, connect)).toMatchObject(refusedWith(error))
      expect(await toolNames(refused)).toEqual([connect])
    }
    // The refusal of his assertion is remembered for seconds, so that his calls do not become requests.
    const sent = [identityProvider.exchanges.length, presented(scene)]
    for (let count = 0; count < 20; count += 1) {
      expect(await callTool(bob, connect)).toMatchObject(refusedWith('invalid_grant'))
    }
    expect([identityProvider.exchanges.length, presented(scene)]).toEqual(sent)
    const connected = textResult('api is connected. List its tools again.')
    identityProvider.down = true
    const late = await client(bearing(issuer.token({ sub: 'late' })))
    expect(await callTool(late, connect)).toMatchObject(unavailable)
    identityProvider.down = false
    await expect.poll(() => callTool(late, connect)).toMatchObject(connected)
    await expect.poll(() => toolNames(late)).toEqual([whoami])
    expect(await Promise.all([ada, other, late].map((one) => callTool(one, whoami)))).toEqual(
      ['corp:ada', 'corp:eve', 'corp:late'].map(textResult),
    )
    expectNoTokens(scene)
  })
})

verifies('CRED-11', http, async (cell) => {
  const taker = await startAssertionTaker()
  onTestFinished(() => taker.close())
  const authorizationServer = { issuer: taker.url, ...assertionClient }
  await withAssertions(cell, { authorizationServer }, async (scene) => {
    const { client, issuer, identityProvider, server } = scene
    const hers = issuer.token()
    const tokens = [hers]
    const usual = { access_token: 'token-of-the-taker', token_type: 'Bearer', expires_in: 600 }
    const answers: ((assertion: string) => unknown)[] = [
      () => null,
      () => ({ ...usual, access_token: null }),
      () => ({ ...usual, token_type: 'N_A' }),
      () => ({ ...usual, access_token: 'two words' }),
      (assertion) => ({ ...usual, access_token: assertion }),
      () => ({ ...usual, access_token: tokens.at(-1) }),
    ]
    for (const answer of answers) {
      taker.answer = answer
      const got = taker.forms.length
      // A failure is remembered for the token.
      tokens.push(issuer.token({ client_id: `client-${got}` }))
      const ada = await client(bearing(tokens.at(-1) ?? ''))
      expect(await callTool(ada, connect)).toMatchObject(unavailable)
      expect(taker.forms.length).toBeGreaterThan(got)
    }
    // It got assertions for itself alone, and never the token of the caller; the server got nothing at all.
    expect(taker.forms.length).toBeGreaterThanOrEqual(answers.length)
    for (const form of taker.forms) {
      expect(form).toMatchObject({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        resource: `${server.url}/mcp`,
        scope: 'mcp',
      })
      expect(decodeJwt(form['assertion'] ?? '')).toMatchObject({ aud: taker.url, sub: expect.stringContaining('ada') })
    }
    expect(new Set(taker.forms.map((form) => form['assertion'])).size).toBe(taker.forms.length)
    for (const token of tokens) expect(JSON.stringify(taker.forms)).not.toContain(token)
    expect(server.received).toEqual([])
    expect(identityProvider.exchanges.map(({ audience }) => audience)).not.toContain(server.url)
    expectNoTokens(scene)
  })
})
