import { OAuthMemory, PersonWithBrowser, officialClients, startAlternatingProxy } from '@junctor/testkit'
import { decodeJwt } from 'jose'
import { expect, onTestFinished } from 'vitest'
import { gatewayClient, offeredScope, startAuthorizationServer } from '../fixtures/authorization-server.ts'
import { type Issuer, secondsFromNow, startIssuer } from '../fixtures/issuer.ts'
import { demo, inGateway } from '../src/in-gateway.ts'
import { getTokens } from '../src/login/get-tokens.ts'
import { rawRequest } from '../src/raw-request.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

/** The public URL of a gateway: requests to it go to its nodes in turn. */
async function publicUrl() {
  const proxy = await startAlternatingProxy()
  onTestFinished(() => proxy.close())
  return proxy
}

verifies('ACCESS-10', http, async (cell) => {
  const authority = await startAuthorizationServer()
  onTestFinished(() => authority.close())
  const proxy = await publicUrl()
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      proxy.targets = gateway.urls.map((url) => new URL(url).origin)
      for (const path of ['/mcp', '/mcp/acme', '/mcp/acme/-/demo', '/sse/acme']) {
        for (const open of Object.values(officialClients)) {
          const url = new URL(`${proxy.url}${path}`)
          const memory = new OAuthMemory('official')
          await getTokens(open(url, memory), memory, new PersonWithBrowser('ada'))
          const page = memory.page as URL
          expect(page.origin).toBe(authority.url)
          expect(page.searchParams.get('resource')).toBe(url.href)
          expect(page.searchParams.get('scope')).toContain(offeredScope)
          expect(decodeJwt(String(memory.tokens()?.access_token)).aud).toBe(url.href)

          const again = open(url, memory)
          await again.connect()
          const names = (await again.client.listTools()).tools.map(({ name }) => name)
          expect(names).toContain(path.endsWith('demo') ? 'echo' : 'demo__echo')
          await again.client.close()
        }
      }
    },
    {
      config: {
        publicUrl: proxy.url,
        auth: { issuer: authority.url, audience: 'https://elsewhere.example.com/mcp', scopes: [offeredScope] },
        tenants: { default: { backends: ['demo'] }, acme: { backends: ['demo'] } },
      },
    },
  )
})

verifies('ACCESS-13', http, async (cell) => {
  const authority = await startAuthorizationServer('opaque')
  onTestFinished(() => authority.close())
  const proxy = await publicUrl()
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      proxy.targets = gateway.urls.map((url) => new URL(url).origin)
      const url = new URL(`${proxy.url}/mcp`)
      const tokenFor = async (): Promise<OAuthMemory> => {
        const memory = new OAuthMemory('official')
        await getTokens(officialClients.v2(url, memory), memory, new PersonWithBrowser('ada'))
        return memory
      }
      const memory = await tokenFor()
      const token = String(memory.tokens()?.access_token)
      expect(token).not.toContain('.')
      const again = officialClients.v2(url, memory)
      await again.connect()
      expect((await again.client.listTools()).tools.map(({ name }) => name)).toContain('demo__echo')
      await again.client.close()

      const other = await tokenFor()
      const revoked = String(other.tokens()?.access_token)
      const form = new URLSearchParams({ token: revoked, client_id: String(other.clientInformation()?.client_id) })
      expect((await fetch(`${authority.url}/token/revocation`, { method: 'POST', body: form })).status).toBe(200)
      for (const at of gateway.urls) {
        expect((await asked(at, token, url.host)).status).toBe(200)
        for (const bad of [revoked, 'invented']) {
          const { status, says } = await asked(at, bad, url.host)
          expect([status, says]).toEqual([401, expect.stringContaining('or it is revoked')])
        }
        // A token for this endpoint opens no other one.
        expect((await asked(`${at}/acme`, token, url.host)).status).toBe(404)
      }
    },
    {
      config: {
        publicUrl: proxy.url,
        auth: {
          issuer: authority.url,
          audience: 'https://elsewhere.example.com/mcp',
          scopes: [offeredScope],
          introspection: { url: `${authority.url}/token/introspection`, ...gatewayClient },
        },
        tenants: { default: { backends: ['demo'] }, acme: { backends: ['demo'] } },
      },
    },
  )
})

verifies('ACCESS-19', http, async (cell) => {
  const issuer = await issuerOfTest()
  const introspection = { url: `${issuer.url}/introspect`, ...gatewayClient, signed: true }
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      const good = { active: true, iss: issuer.url, sub: 'ada', aud: issuer.auth.audience }
      const statuses = async (token: string): Promise<readonly number[]> =>
        Promise.all(gateway.urls.map(async (url) => (await asked(url, token)).status))
      const all = (status: number): readonly number[] => gateway.urls.map(() => status)
      // The token itself does not say for whom it is.
      const token = issuer.token({ aud: undefined })
      issuer.introspection = good
      expect(await statuses(token)).toEqual(all(200))
      issuer.introspection = { active: false }
      await expect.poll(() => statuses(token)).toEqual(all(401))
      issuer.introspection = { ...good, aud: 'https://elsewhere.example.com' }
      expect(await statuses(issuer.token())).toEqual(all(401))

      issuer.introspection = good
      const questions = (): number => issuer.asked().filter((path) => path === '/introspect').length
      const before = questions()
      const [head, , signature] = issuer.token().split('.')
      const [, claims] = issuer.token({ sub: 'eve' }).split('.')
      expect(await statuses(`${head}.${claims}.${signature}`)).toEqual(all(401))
      expect(await statuses(issuer.token({ iss: 'https://elsewhere.example.com' }))).toEqual(all(401))
      expect(await statuses(issuer.token({ exp: secondsFromNow(-300) }))).toEqual(all(401))
      expect(questions()).toBe(before)
    },
    { config: { publicUrl: 'https://gw.example.com', auth: { ...issuer.auth, introspection } } },
  )
})

/** The status of a list, and the challenge. */
async function asked(url: string, token?: string, host = 'gw.example.com') {
  const answer = await rawRequest(url, {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      host,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  await answer.text()
  return { status: answer.status, says: String(answer.headers['www-authenticate']) }
}

async function issuerOfTest(): Promise<Issuer> {
  const issuer = await startIssuer()
  onTestFinished(() => issuer.close())
  return issuer
}

const base = 'https://gw.example.com/mcp'
const endpoints = ['', '/acme', '/other', '/acme/-/demo', '/acme/-/two', '/-/demo', '/default/-/demo'] as const

verifies('ACCESS-11', http, async (cell) => {
  const issuer = await issuerOfTest()
  const config = {
    publicUrl: 'https://gw.example.com',
    auth: { issuer: issuer.url, audience: 'https://api.example.com' },
    tenants: { default: { backends: ['demo'] }, acme: { backends: ['demo', 'two'] }, other: { backends: ['two'] } },
  }
  /** The endpoints that a token for one opens. */
  const opens: Readonly<Record<(typeof endpoints)[number], readonly string[]>> = {
    '': ['', '/-/demo', '/default/-/demo'],
    '/acme': ['/acme', '/acme/-/demo', '/acme/-/two'],
    '/other': ['/other'],
    '/acme/-/demo': ['/acme/-/demo'],
    '/acme/-/two': ['/acme/-/two'],
    '/-/demo': ['/-/demo', '/default/-/demo'],
    '/default/-/demo': ['/-/demo', '/default/-/demo'],
  }
  await inGateway(
    cell,
    { demo: demo(), two: demo() },
    async ({ gateway }) => {
      for (const at of gateway.urls) {
        const { origin } = new URL(at)
        for (const path of [...endpoints, '/unheard-of']) {
          const { status, says } = await asked(`${at}${path}`)
          const metadataUrl = `https://gw.example.com/.well-known/oauth-protected-resource/mcp${path}`
          expect([status, says]).toEqual([401, `Bearer resource_metadata="${metadataUrl}"`])
          const metadata = await fetch(`${origin}${new URL(metadataUrl).pathname}`, {
            headers: { 'x-forwarded-host': 'evil.example.com' },
          })
          expect([metadata.status, await metadata.json()]).toEqual([
            200,
            {
              resource: `${base}${path}`,
              authorization_servers: [issuer.url],
              bearer_methods_supported: ['header'],
              dpop_signing_alg_values_supported: expect.arrayContaining(['ES256']),
              resource_name: 'junctor',
            },
          ])
        }
        const root = await fetch(`${origin}/.well-known/oauth-protected-resource`)
        expect(await root.json()).toMatchObject({ resource: base })
        const head = await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`, { method: 'HEAD' })
        expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
          200,
          'application/json',
          '',
        ])
        const posted = await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`, { method: 'POST' })
        expect(posted.status).toBe(401)
        for (const [audience, opened] of Object.entries(opens)) {
          const token = issuer.token({ aud: `${base}${audience}` })
          const statuses = await Promise.all(endpoints.map(async (path) => (await asked(`${at}${path}`, token)).status))
          const open = endpoints.filter((_, index) => statuses[index] !== 404)
          expect([audience, open]).toEqual([audience, opened])
        }
      }
    },
    { config },
  )
})

verifies('ACCESS-12', http, async (cell) => {
  const issuer = await issuerOfTest()
  const config = {
    publicUrl: 'https://gw.example.com',
    auth: { issuer: issuer.url, audience: base, scopes: ['mcp', 'mcp:read'] },
  }
  await inGateway(
    cell,
    { demo: demo() },
    async ({ gateway }) => {
      for (const at of gateway.urls) {
        const parameters =
          'scope="mcp mcp:read", resource_metadata="https://gw.example.com/.well-known/oauth-protected-resource/mcp"'
        expect(await asked(at)).toEqual({ status: 401, says: `Bearer ${parameters}` })
        for (const claims of [{}, { scope: 'mcp' }, { scp: ['mcp:read'] }, { scope: 'mcp:read mcp2' }]) {
          expect(await asked(at, issuer.token(claims))).toEqual({
            status: 403,
            says: `Bearer error="insufficient_scope", error_description="The token lacks a scope that is required here", ${parameters}`,
          })
        }
        for (const claims of [{ scope: 'mcp:read mcp' }, { scp: ['mcp', 'mcp:read', 'x'] }]) {
          expect((await asked(at, issuer.token(claims))).status).toBe(200)
        }
        expect((await asked(at, issuer.token({ scope: 'mcp mcp:read', aud: 'https://other' }))).status).toBe(401)
      }
    },
    { config },
  )
})
