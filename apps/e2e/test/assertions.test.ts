import { generateKeyPair } from 'jose'
import { expect, onTestFinished } from 'vitest'
import { startAssertionIssuer } from '../fixtures/assertion-issuer.ts'
import { pinged } from '../src/login/pinged.ts'
import { Program } from '../src/login/program.ts'
import { withLogin } from '../src/login/with-login.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const
const secret = 'the-secret-of-the-editor'
const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

verifies('LOGIN-7', http, async (cell) => {
  const issuer = await startAssertionIssuer()
  onTestFinished(() => issuer.close())
  const options = {
    scopes: ['mcp', 'write'],
    clients: { editor: { secret, scopes: ['mcp', 'write'] }, other: { secret, scopes: ['mcp'] } },
    issuers: { corp: { ...issuer.entry, claims: { org: 'acme' } } },
  }
  await withLogin(cell, options, async (site) => {
    const program = new Program(site)
    const own = { aud: site.url, client_id: 'editor' }
    const send = (assertion: string, more: Readonly<Record<string, string>> = {}) =>
      program.form('/oauth/token', {
        grant_type: grant,
        assertion,
        client_id: 'editor',
        client_secret: secret,
        ...more,
      })
    const metadata = await (await fetch(`${site.url}/.well-known/oauth-authorization-server`)).json()
    expect(metadata).toMatchObject({
      grant_types_supported: expect.arrayContaining([grant]),
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    })

    // The assertion has the scopes mcp and admin, and the client may have mcp and write.
    const assertion = await issuer.assertion({ ...own, resource: `${site.url}/mcp/acme` })
    const { status, body } = await send(assertion)
    expect([status, body]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'Bearer', expires_in: 600, scope: 'mcp' },
    ])
    const elsewhere = (await send(await issuer.assertion({ ...own, resource: `${site.url}/mcp/acme/-/demo` }))).body[
      'access_token'
    ]
    for (const node of site.nodes) {
      const acme = node.replace(/\/mcp$/, '/mcp/acme')
      expect(await pinged(acme, body['access_token'], site)).toBe(200)
      // One for another endpoint looks like one of another tenant.
      expect(await pinged(acme, elsewhere, site)).toBe(404)
      // Its claims name no member of the other tenant.
      expect(await pinged(node.replace(/\/mcp$/, '/mcp/other'), body['access_token'], site)).toBe(404)
    }
    // Requests alternate between the nodes: it was used at the other one.
    for (const _ of site.nodes) expect((await send(assertion)).body['error']).toBe('invalid_grant')
    expect((await send(await issuer.assertion(own), { scope: 'mcp' })).body['scope']).toBe('mcp')

    const stranger = await generateKeyPair('ES256')
    const now = Math.floor(Date.now() / 1000)
    const attacks: readonly (readonly [what: string, assertion: Promise<string>, error: string])[] = [
      ['of another type', issuer.assertion(own, { typ: 'JWT' }), 'invalid_grant'],
      ['of an access token', issuer.assertion(own, { typ: 'at+jwt' }), 'invalid_grant'],
      ['of another key', issuer.assertion(own, {}, stranger.privateKey), 'invalid_grant'],
      ['of an unknown key', issuer.assertion(own, { kid: 'two' }), 'invalid_grant'],
      ['of another issuer', issuer.assertion({ ...own, iss: 'https://idp.evil.test' }), 'invalid_grant'],
      ['for another server', issuer.assertion({ ...own, aud: 'https://elsewhere.test' }), 'invalid_grant'],
      ['for several servers', issuer.assertion({ ...own, aud: [site.url, 'https://elsewhere.test'] }), 'invalid_grant'],
      ['for another client', issuer.assertion({ ...own, client_id: 'other' }), 'invalid_grant'],
      ['for no client', issuer.assertion({ aud: site.url }), 'invalid_grant'],
      ['that is over', issuer.assertion({ ...own, iat: now - 900, exp: now - 600 }), 'invalid_grant'],
      ['that is still to come', issuer.assertion({ ...own, iat: now + 600, exp: now + 900 }), 'invalid_grant'],
      ['that never ends', issuer.assertion({ ...own, exp: now + 10_000_000 }), 'invalid_grant'],
      ['without an end', issuer.assertion({ ...own, exp: undefined }), 'invalid_grant'],
      ['without an identifier', issuer.assertion({ ...own, jti: undefined }), 'invalid_grant'],
      ['of nobody', issuer.assertion({ ...own, sub: '' }), 'invalid_grant'],
      [
        'for a resource elsewhere',
        issuer.assertion({ ...own, resource: 'https://elsewhere.test/mcp' }),
        'invalid_target',
      ],
      ['for several resources', issuer.assertion({ ...own, resource: [`${site.url}/mcp`] }), 'invalid_grant'],
      ['with no scope of ours', issuer.assertion({ ...own, scope: 'admin' }), 'invalid_scope'],
      ['that is none', Promise.resolve('x.y.z'), 'invalid_grant'],
    ]
    for (const [what, made, error] of attacks) {
      expect({ what, error: (await send(await made)).body['error'] }).toEqual({ what, error })
    }
    const good = () => issuer.assertion({ ...own, resource: `${site.url}/mcp/acme` })
    expect((await send(await good(), { resource: `${site.url}/mcp` })).body['error']).toBe('invalid_target')
    // The clock of the issuer may differ a little.
    expect((await send(await issuer.assertion({ ...own, iat: now + 20, nbf: now + 20 }))).status).toBe(200)
    expect((await send(await good(), { client_secret: 'wrong' })).status).toBe(401)
    expect((await send(await good(), { client_id: 'other' })).body['error']).toBe('invalid_grant')
    expect((await send('')).status).toBe(400)

    // A client without a secret cannot use it, also if it was issued to it.
    const registered = await program.register({ grant_types: [grant, 'authorization_code'] })
    expect(registered.status).toBe(201)
    const found = await issuer.assertion({ ...own, client_id: program.id })
    expect((await send(found, { client_id: program.id, client_secret: '' })).body['error']).toBe('invalid_client')
  })
})
