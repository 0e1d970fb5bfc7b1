import { OAuthMemory, PersonWithBrowser, redirectUrl, officialClients } from '@junctor/testkit'
import { expect } from 'vitest'
import { getTokens } from '../src/login/get-tokens.ts'
import { pinged } from '../src/login/pinged.ts'
import { Program } from '../src/login/program.ts'
import { password, type Site, withLogin } from '../src/login/with-login.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const
const ada = () => new PersonWithBrowser('ada', password)

verifies('LOGIN-1', http, async (cell) => {
  await withLogin(cell, {}, async (site) => {
    for (const [version, open] of Object.entries(officialClients)) {
      for (const path of ['/mcp', '/mcp/acme', '/mcp/acme/-/demo']) {
        const url = new URL(`${site.url}${path}`)
        const memory = new OAuthMemory(version)
        await getTokens(open(url, memory), memory, ada())
        const again = open(url, memory)
        await again.connect()
        const called = await again.client.callTool({
          name: path.endsWith('demo') ? 'echo' : 'demo__echo',
          arguments: { message: 'hello' },
        })
        expect(called).toMatchObject({ content: [{ text: 'hello' }] })
        await again.client.close()
        const token = memory.tokens()?.access_token
        for (const node of site.nodes) {
          expect(await pinged(`${node}${path.slice('/mcp'.length)}`, token, site)).toBe(200)
          // A token is for one endpoint. That of a tenant opens the endpoints of its backends.
          expect(await pinged(path === '/mcp' ? `${node}/other` : node, token, site)).toBe(404)
        }
      }
    }
  })
})

verifies('LOGIN-1', http, async (cell) => {
  await withLogin(cell, {}, async (site) => {
    const program = new Program(site)
    await program.register()
    const hers = ada()
    // Two pages for a login are open in her browser, which another person uses later.
    const other = new Program(site)
    await other.register()
    const isLogin = (url: URL) => url.pathname.includes('/interaction/')
    const second = await hers.authorize(other.page({ scope: 'mcp' }), isLogin)
    const { status, body } = await program.redeem(await program.code({ scope: 'mcp' }, hers))
    expect([status, body['token_type']]).toEqual([200, 'Bearer'])
    const his = await hers.handOver('bob', password).authorize(second, redirectUrl)
    expect((await other.redeem(String(his.searchParams.get('code')))).status).toBe(200)
    const renew = (token: unknown) =>
      program.form('/oauth/token', { grant_type: 'refresh_token', refresh_token: String(token), client_id: program.id })
    const renewed = await renew(body['refresh_token'])
    expect(renewed.status).toBe(200)
    const { access_token: token, refresh_token: refresh } = renewed.body
    const statuses = (which: unknown) => Promise.all(site.nodes.map((node) => pinged(node, which, site)))
    expect(new Set(await statuses(token))).toEqual(new Set([200]))
    await program.form('/oauth/revoke', { token: String(refresh), client_id: program.id })
    // All that the person has granted to this client is gone, on every node, within the half second of an answer.
    await expect.poll(async () => new Set(await statuses(token))).toEqual(new Set([401]))
    expect((await renew(refresh)).status).toBe(400)
  })
})

verifies('LOGIN-2', http, async (cell) => {
  await withLogin(cell, {}, async (site) => {
    const [program, other] = [new Program(site), new Program(site)]
    await program.register()
    await other.register({ client_name: 'other' })
    const refused = async (answer: ReturnType<Program['redeem']>) => {
      const { status, body } = await answer
      return [status, body['error']]
    }
    const invalid = [400, 'invalid_grant']
    // The code is for one client, one verifier, one redirect.
    expect(await refused(program.redeem(await program.code({}, ada()), { code_verifier: other.verifier }))).toEqual(
      invalid,
    )
    expect(await refused(program.redeem(await program.code({}, ada()), { client_id: other.id }))).toEqual(invalid)
    expect(await refused(program.redeem(await program.code({}, ada()), { redirect_uri: `${redirectUrl}2` }))).toEqual(
      invalid,
    )
    const elsewhere = program.redeem(await program.code({}, ada()), { resource: `${site.url}/mcp/acme` })
    expect(await refused(elsewhere)).toEqual([400, 'invalid_target'])
    // Twice, also at the same time at two nodes: at most one gets tokens, and they do not last.
    const hers = ada()
    const code = await program.code({}, hers)
    const twice = await Promise.all([program.redeem(code), program.redeem(code)])
    expect(twice.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(await refused(program.redeem(code))).toEqual(invalid)
    for (const { body } of twice) {
      for (const node of site.nodes) {
        await expect.poll(() => pinged(node, body['access_token'] ?? 'none', site)).toBe(401)
      }
    }
    // In the browser that this has happened in, the person logs in again; and after the client has logged out.
    const next = await program.redeem(await program.code({}, hers))
    expect(next.status).toBe(200)
    await program.form('/oauth/revoke', { token: String(next.body['access_token']), client_id: program.id })
    expect((await program.redeem(await program.code({}, hers))).status).toBe(200)
    // The answer to a renewal was lost, and two processes of a client renew at the same time: each gets tokens.
    const { body } = await program.redeem(await program.code({}, ada()))
    const renew = (token: unknown) =>
      program.form('/oauth/token', { grant_type: 'refresh_token', refresh_token: String(token), client_id: program.id })
    const first = await renew(body['refresh_token'])
    const repeated = await Promise.all([renew(body['refresh_token']), renew(body['refresh_token'])])
    for (const { status, body: renewed } of [first, ...repeated]) {
      expect(status).toBe(200)
      for (const node of site.nodes) expect(await pinged(node, renewed['access_token'], site)).toBe(200)
      expect((await renew(renewed['refresh_token'])).status).toBe(200)
    }
  })
})

verifies('LOGIN-2', http, async (cell) => {
  await withLogin(cell, {}, async (site) => {
    const program = new Program(site)
    await program.register()
    const opened = async (more: Readonly<Record<string, string>>) => {
      const answer = await fetch(program.page(more), { redirect: 'manual' })
      await answer.text()
      return { status: answer.status, to: answer.headers.get('location') }
    }
    // Nobody is sent to a place that the client has not registered, whatever else is wrong.
    for (const uri of [
      'https://evil.example.com/',
      `${redirectUrl}/../evil`,
      `${redirectUrl}#x`,
      'javascript:alert(1)',
    ]) {
      expect(await opened({ redirect_uri: uri })).toEqual({ status: 400, to: null })
    }
    expect(await opened({ client_id: 'nobody' })).toEqual({ status: 400, to: null })
    const errors: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
      [{ code_challenge_method: 'plain', code_challenge: program.verifier }, 'invalid_request'],
      [{ code_challenge: '' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ resource: 'https://elsewhere.example.com/mcp' }, 'invalid_target'],
      [{ resource: `${site.url}/oauth/token` }, 'invalid_target'],
      [{ resource: `${site.url}/mcp?x=1` }, 'invalid_target'],
    ]
    for (const [more, error] of errors) {
      const { to } = await opened(more)
      const { search, hash: fragment } = new URL(String(to))
      expect([more, new URLSearchParams(search || fragment.slice(1)).get('error')]).toEqual([more, error])
    }
    // A login that was begun in one browser is nothing in another one, and a form is good on its page alone.
    const begun = await opened({})
    const interaction = new URL(String(begun.to), site.url)
    const stranger = await fetch(interaction)
    expect([stranger.status, await stranger.text()]).toEqual([400, expect.stringContaining('another browser')])
    const forged = await fetch(interaction, { method: 'POST', body: new URLSearchParams({ name: 'ada', password }) })
    expect(forged.status).toBe(400)
    const start = await fetch(program.page(), { redirect: 'manual' })
    const cookie = start.headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ')
    const page = new URL(String(start.headers.get('location')), site.url)
    const token =
      /name="form" value="([^"]+)"/.exec(await (await fetch(page, { headers: { cookie } })).text())?.[1] ?? ''
    const send = (fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
      fetch(page, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, ...headers },
        body: new URLSearchParams(fields),
      })
    const good = { name: 'ada', password, form: token }
    expect((await send({ ...good, form: '' })).status).toBe(403)
    expect((await send({ ...good, form: `${token}x` })).status).toBe(403)
    expect((await send(good, { origin: 'https://evil.example.com' })).status).toBe(403)
    expect((await send({ ...good, name: 'x'.repeat(20_000) })).status).toBe(403)
    expect((await send(good)).status).toBe(303)
  })
})

verifies('LOGIN-2', http, async (cell) => {
  await withLogin(cell, {}, async (site) => {
    // Everyone may ask for a token for every endpoint. It opens those that the person may use.
    const program = new Program(site)
    await program.register()
    const opened: Readonly<Record<string, readonly number[]>> = {
      acme: [200, 404],
      other: [404, 404],
      nobodys: [404, 404],
    }
    for (const [tenant, expected] of Object.entries(opened)) {
      for (const [index, person] of [ada(), new PersonWithBrowser('bob', password)].entries()) {
        const resource = `${site.url}/mcp/${tenant}`
        const { body } = await program.redeem(await program.code({ resource }, person))
        for (const node of site.nodes) {
          expect(await pinged(`${node}/${tenant}`, body['access_token'], site)).toBe(expected[index])
        }
      }
    }
  })
})

verifies('LOGIN-2', http, async (cell) => {
  await withLogin(cell, {}, async (site) => {
    const [first, second] = [new Program(site), new Program(site)]
    await first.register()
    await second.register({ client_name: 'second' })
    const person = ada()
    await first.code({}, person)
    // She is logged in. Her consent for one program does not apply to another one.
    const pages = await person.pagesOf(second.page(), redirectUrl)
    expect(pages.join('\n')).toMatch(/Allow access\?[^]*second/)
    const denied = await person.refuse(second.page(), redirectUrl)
    expect(denied.searchParams.get('error')).toBe('access_denied')
  })
})

verifies('LOGIN-3', http, async (cell) => {
  const registration = { hosts: ['app.example.com'] }
  await withLogin(cell, { registration }, async (site) => {
    const program = new Program(site)
    const refusals: readonly (readonly [unknown, number, string])[] = [
      [null, 400, 'invalid_client_metadata'],
      [[], 400, 'invalid_client_metadata'],
      ['text', 400, 'invalid_client_metadata'],
      [{}, 400, 'invalid_redirect_uri'],
      [{ redirect_uris: null }, 400, 'invalid_redirect_uri'],
      [{ redirect_uris: 'https://app.example.com/' }, 400, 'invalid_redirect_uri'],
      [{ redirect_uris: [null] }, 400, 'invalid_redirect_uri'],
      [{ redirect_uris: ['https://evil.example.com/'] }, 400, 'invalid_redirect_uri'],
      [{ redirect_uris: ['http://app.example.com/'] }, 400, 'invalid_redirect_uri'],
      [{ redirect_uris: ['javascript:alert(1)'] }, 400, 'invalid_redirect_uri'],
      [{ redirect_uris: ['https://app.example.com/'], grant_types: ['implicit'] }, 400, 'invalid_client_metadata'],
      [{ redirect_uris: ['https://app.example.com/'], client_name: 7 }, 400, 'invalid_client_metadata'],
      [
        { redirect_uris: ['https://app.example.com/'], client_name: 'x'.repeat(70_000) },
        413,
        'invalid_client_metadata',
      ],
    ]
    for (const [body, status, error] of refusals) {
      const answer = await program.post('/oauth/register', body)
      expect([body, answer.status, answer.body['error']]).toEqual([body, status, error])
    }
    const web = await program.register({ redirect_uris: ['https://app.example.com/back'] })
    expect([web.status, web.body['application_type']]).toEqual([201, 'web'])
    const statuses: number[] = []
    for (let count = 0; count < 20 * cell.nodes; count += 1) statuses.push((await program.register()).status)
    expect(statuses).toContain(429)
  })
  await withLogin(cell, { registration: { open: false } }, async (site) => {
    expect((await fetch(`${site.url}/oauth/register`, { method: 'POST', body: '{}' })).status).toBe(404)
  })
})

verifies('LOGIN-4', http, async (cell) => {
  const secret = 'the-secret-of-the-robot'
  const options = { scopes: ['mcp', 'admin'], clients: { robot: { secret, scopes: ['mcp'] } } }
  await withLogin(cell, options, async (site) => {
    const program = new Program(site)
    const ask = (more: Readonly<Record<string, string>>) =>
      program.form('/oauth/token', {
        grant_type: 'client_credentials',
        client_id: 'robot',
        client_secret: secret,
        scope: 'mcp',
        resource: `${site.url}/mcp`,
        ...more,
      })
    const { status, body } = await ask({})
    expect([status, body['scope']]).toEqual([200, 'mcp'])
    for (const node of site.nodes) expect(await pinged(node, body['access_token'], site)).toBe(200)
    expect((await ask({ client_secret: 'wrong' })).status).toBe(401)
    expect((await ask({ scope: 'admin' })).body['error']).toBe('invalid_scope')
    expect((await ask({ resource: 'https://elsewhere.example.com' })).body['error']).toBe('invalid_target')
    const { body: stranger } = await program.register({
      grant_types: ['authorization_code', 'client_credentials'],
      token_endpoint_auth_method: 'client_secret_post',
    })
    const registered = { client_id: program.id, client_secret: String(stranger['client_secret']) }
    expect((await ask(registered)).body['error']).toBe('unauthorized_client')
  })
})

verifies('LOGIN-5', http, async (cell) => {
  const paths = {
    authorize: '/mcp-auth/authorize',
    token: '/mcp-auth/token',
    register: '/mcp-auth/register',
    revoke: '/mcp-auth/revoke',
    resource: '/mcp-auth/resource',
  }
  const tenants = { default: { profile: 'saas', backends: ['demo'] } }
  for (const discovery of [{ oauth_endpoints: paths }, undefined]) {
    const at = (word: keyof typeof paths) => (discovery === undefined ? `/oauth/${word}` : paths[word])
    await withLogin(
      cell,
      {},
      async ({ url }) => {
        const known = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()
        expect(known).toMatchObject({
          issuer: url,
          authorization_endpoint: `${url}${at('authorize')}`,
          token_endpoint: `${url}${at('token')}`,
          registration_endpoint: `${url}${at('register')}`,
          revocation_endpoint: `${url}${at('revoke')}`,
        })
        expect(await (await fetch(`${url}${at('resource')}`)).json()).toMatchObject({ resource: `${url}/mcp` })
        const refused = await fetch(`${url}/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-host': 'evil.example.com' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
        })
        expect([refused.status, await refused.json()]).toEqual([
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
                  authorization_endpoint: `${url}${at('authorize')}`,
                  token_endpoint: `${url}${at('token')}`,
                  registration_endpoint: `${url}${at('register')}`,
                },
              },
            },
            id: null,
          },
        ])
      },
      { config: { tenants, ...(discovery !== undefined && { discovery }) } },
    )
  }
})

verifies('LOGIN-6', http, async (cell) => {
  await withLogin(cell, {}, async (site) => {
    const program = new Program(site)
    const hostile = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    await program.register({ client_name: hostile })
    const start = await fetch(program.page(), { redirect: 'manual' })
    const cookie = start.headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ')
    const login = await fetch(new URL(String(start.headers.get('location')), site.url), { headers: { cookie } })
    expect(login.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/)
    expect(login.headers.get('cache-control')).toBe('no-store')
    const pages = [await login.text(), ...(await ada().pagesOf(program.page(), redirectUrl))]
    for (const html of pages) {
      expect(html).not.toMatch(/<script|<img/)
      expect(html).toContain('&#60;script&#62;')
    }
    // Only the address that guesses is stopped, with the right password too.
    const guessing = new PersonWithBrowser('bob', 'wrong')
    const attempts = await guessing.attempts(program.page(), 12 * cell.nodes)
    expect(attempts[0]).toBe(401)
    expect(attempts.at(-1)).toBe(429)
    expect(await program.code({}, ada())).toMatch(/./)
  })
})

verifies('LOGIN-8', http, async (cell) => {
  const body = async (site: Site): Promise<void> => {
    for (const [version, open] of Object.entries(officialClients)) {
      const memory = new OAuthMemory(version)
      await getTokens(open(new URL(`${site.url}/mcp/acme`), memory), memory, ada())
      const again = open(new URL(`${site.url}/mcp/acme`), memory)
      await again.connect()
      const called = await again.client.callTool({ name: 'demo__echo', arguments: { message: 'hello' } })
      expect(called).toMatchObject({ content: [{ text: 'hello' }] })
      await again.client.close()
    }
    const { origin } = new URL(site.url)
    const places = [
      `${origin}/.well-known/oauth-authorization-server/tools/gw`,
      `${origin}/.well-known/openid-configuration/tools/gw`,
      `${site.url}/.well-known/openid-configuration`,
    ]
    for (const place of places) expect(await (await fetch(place)).json()).toMatchObject({ issuer: site.url })
    const resource = await fetch(`${origin}/.well-known/oauth-protected-resource/tools/gw/mcp/acme`)
    expect(await resource.json()).toMatchObject({
      resource: `${site.url}/mcp/acme`,
      authorization_servers: [site.url],
    })
  }
  await withLogin(cell, {}, body, { prefix: '/tools/gw' })
})
