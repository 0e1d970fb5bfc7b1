import { eventually, PersonWithBrowser } from '@junctor/testkit'
import { expect } from 'vitest'
import { demo } from '../src/in-gateway.ts'
import { Program } from '../src/login/program.ts'
import { password, type Site, withLogin } from '../src/login/with-login.ts'
import { resultOf } from '../src/result-of.ts'
import { createBrowserEnvironment, type WatchedBrowser } from '../src/saas/browser-environment.ts'
import { createDocumentClient, runDocumentProgram } from '../src/saas/document-client.ts'
import { agency } from '../src/saas/in-saas.ts'
import { verifies } from '../src/verifies.ts'

// From the 401 to an answer on the stream, for the client that the document of the profile `saas` prints. The document leaves the steps
// between to its readers: here a program without a library takes them, and knows nothing but what it is told.

const everywhere = { ways: ['http'], revisions: ['2024-11-05', '2025-03-26', '2025-06-18'] } as const
const paths = {
  authorize: '/mcp-auth/authorize',
  token: '/mcp-auth/token',
  register: '/mcp-auth/register',
  revoke: '/mcp-auth/revoke',
  resource: '/mcp-auth/resource',
}
const custom = { oauth_endpoints: paths }
const tenants = { [agency]: { profile: 'saas', backends: ['saas'], members: { claim: 'org', values: ['acme'] } } }
const config = { tenants, profile: 'saas' }
const more = { saas: demo({ saas: {} }) }

interface Endpoints {
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly registration_endpoint: string
}

const refusal = 'Authentication required - OAuth endpoints: '

/** Waits until the document's client is refused. Resolves with the endpoints that its error names. */
async function endpointsOf(refused: Promise<unknown>): Promise<Endpoints> {
  const error: unknown = await refused.then(
    () => 'it was let in',
    (reason: unknown) => reason,
  )
  const { message } = error as Error
  expect(message).toMatch(refusal)
  return JSON.parse(message.slice(refusal.length)) as Endpoints
}

/** The document's client finds what it needs in this environment. */
async function withBrowser(site: Site, body: (browser: WatchedBrowser) => Promise<void>): Promise<void> {
  // Its server is https://server.com: this name leads to the nodes in turn.
  const browser = createBrowserEnvironment([site.url])
  try {
    await body(browser)
  } finally {
    await browser.close()
  }
}

verifies(['B-25', 'B-32'], everywhere, async (cell) => {
  const { revision } = cell
  // Both configurations of the document.
  const discovery = revision === '2025-03-26' ? undefined : custom
  const at = (word: keyof typeof paths) => (discovery === undefined ? `/oauth/${word}` : paths[word])
  const body = async (site: Site): Promise<void> => {
    await withBrowser(site, async (browser) => {
      // With the token that is printed. Nobody has it.
      const endpoints = await endpointsOf(runDocumentProgram(browser, { token: 'your-token', revision }))
      expect(endpoints).toEqual({
        authorization_endpoint: `${site.url}${at('authorize')}`,
        token_endpoint: `${site.url}${at('token')}`,
        registration_endpoint: `${site.url}${at('register')}`,
      })
      const known = (await (await fetch(`${site.url}/.well-known/oauth-authorization-server`)).json()) as object
      expect(known).toMatchObject({
        issuer: site.url,
        ...endpoints,
        revocation_endpoint: `${site.url}${at('revoke')}`,
      })

      const program = new Program(site, endpoints)
      expect((await program.register()).status).toBe(201)
      // The document has neither scopes nor, before 2025-06-18, resources.
      const indicated = (await (await fetch(`${site.url}${at('resource')}`)).json()) as { resource: string }
      const resource = revision === '2025-06-18' ? indicated.resource : ''
      const code = await program.code({ scope: '', resource }, new PersonWithBrowser('ada', password))
      const { status, body: tokens } = await program.redeem(code)
      expect([status, tokens['token_type'], tokens['expires_in']]).toEqual([200, 'Bearer', 600])

      const client = await runDocumentProgram(browser, { token: String(tokens['access_token']), revision })
      expect(browser.written).toContainEqual([[expect.objectContaining({ name: 'echo' })]])
      expect(browser.posts.at(-1)).toMatchObject({ status: 202, body: '{"status":"queued"}' })
      const echo = async (message: string): Promise<void> => {
        const called = await client.call(agency, 'tools/call', { name: 'echo', arguments: { message } })
        const text = JSON.stringify({ message, received_params: { message }, context_available: true })
        expect(resultOf(called)).toEqual({ content: [{ type: 'text', text }] })
        expect(browser.posts.at(-1)).toMatchObject({ status: 202, body: '{"status":"queued"}' })
      }
      await echo('Hello MCP!')
      await echo('once more, by the other node')

      // The session is the person's: another token of theirs goes on with it, on the same stream.
      const renewed = await program.form(endpoints.token_endpoint, {
        grant_type: 'refresh_token',
        refresh_token: String(tokens['refresh_token']),
        client_id: program.id,
      })
      expect(renewed.status).toBe(200)
      client.accessToken = String(renewed.body['access_token'])
      await echo('renewed')
      await echo('renewed, by the other node')

      const revoked = { token: String(renewed.body['refresh_token']), client_id: program.id }
      expect((await program.form(at('revoke'), revoked)).status).toBe(200)
      for (let node = 0; node < cell.nodes; node += 1) {
        await eventually(async () => {
          await expect(endpointsOf(client.initialize(agency))).resolves.toEqual(endpoints)
        })
      }
      client.disconnect()
    })
  }
  await withLogin(cell, {}, body, { config: { ...config, ...(discovery !== undefined && { discovery }) }, more })
})

verifies('B-32', everywhere, async (cell) => {
  await withLogin(
    cell,
    {},
    async (site) => {
      await withBrowser(site, async (browser) => {
        // Somebody of another agency logs in as well, and is told that this agency does not exist.
        const program = new Program(site)
        await program.register()
        const bob = new PersonWithBrowser('bob', password)
        const { body } = await program.redeem(await program.code({ scope: '', resource: '' }, bob))
        const token = String(body['access_token'])
        for (let node = 0; node < cell.nodes; node += 1) {
          const client = createDocumentClient(browser, 'https://server.com', token, cell.revision)
          await expect(client.initialize(agency)).rejects.toThrow('HTTP 404')
        }
      })
    },
    { config, more },
  )
})

verifies('B-33', everywhere, async (cell) => {
  await withLogin(
    cell,
    {},
    async (site) => {
      const wrong = [undefined, 'Bearer your-token', 'Bearer a.b.c', 'Basic YWRhOnNlY3JldA==', 'Bearer ']
      for (const authorization of wrong) {
        const answer = await fetch(`${site.url}/mcp/${agency}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
          body: '{"jsonrpc":"2.0","method":"tools/list","id":1}',
        })
        expect([authorization, answer.status, await answer.json()]).toEqual([
          authorization,
          401,
          {
            jsonrpc: '2.0',
            error: {
              code: -32_000,
              message: 'Authentication required',
              data: {
                reason: 'unauthenticated',
                retryable: false,
                oauth: {
                  authorization_endpoint: `${site.url}/oauth/authorize`,
                  token_endpoint: `${site.url}/oauth/token`,
                  registration_endpoint: `${site.url}/oauth/register`,
                },
              },
            },
            id: null,
          },
        ])
        const challenge = answer.headers.get('www-authenticate')
        expect(challenge).toContain(
          `resource_metadata="${site.url}/.well-known/oauth-protected-resource/mcp/${agency}"`,
        )
        if (authorization !== undefined) expect(challenge).toMatch(/error_description="[^"]{20,}"/)
      }
    },
    { config, more },
  )
})
