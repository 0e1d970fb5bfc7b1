import { OAuthMemory, PersonWithBrowser, redirectUrl, officialClients } from '@junctor/testkit'
import { exportJWK, exportPKCS8, generateKeyPair } from 'jose'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import { getTokens } from '../src/login/get-tokens.ts'
import { pinged } from '../src/login/pinged.ts'
import { Program } from '../src/login/program.ts'
import { answered, at, changed, registered } from '../src/login/upstream-people.ts'
import { password } from '../src/login/with-login.ts'
import { clientSecret, type UpstreamSite, withUpstream } from '../src/login/with-upstream.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

const alone = { users: {} }
const byOrg = { scopes: ['email', 'groups'], copyClaims: ['org', 'email'] }
const carla = { email: 'carla@corp.test', email_verified: true, org: 'acme', groups: ['staff'] }

/** What the server says of a token. */
async function introspected(site: UpstreamSite, token: unknown): Promise<Readonly<Record<string, unknown>>> {
  const program = new Program(site)
  const { body } = await program.form('/oauth/introspect', {
    token: String(token),
    client_id: 'robot',
    client_secret: robot.secret,
  })
  return body
}

const robot = { secret: 'the-secret-of-the-robot', scopes: ['mcp'] }

verifies('LOGIN-9', http, async (cell) => {
  await withUpstream(cell, { server: alone, corp: byOrg }, async (site) => {
    site.corp.claims = { carla, dan: { ...carla, org: 'other' } }
    for (const [version, open] of Object.entries(officialClients)) {
      const url = new URL(`${site.url}/mcp/acme`)
      const memory = new OAuthMemory(version)
      // Nobody has a password, and there is one provider: no page stands between.
      await getTokens(open(url, memory), memory, at('corp'))
      const again = open(url, memory)
      await again.connect()
      const called = await again.client.callTool({ name: 'demo__echo', arguments: { message: 'hello' } })
      expect(called).toMatchObject({ content: [{ text: 'hello' }] })
      await again.client.close()
    }
    const program = await registered(site)
    const resource = `${site.url}/mcp/acme`
    const tokens = async (name: string) =>
      (await program.redeem(await program.code({ resource }, at('corp', name)))).body
    const [hers, his] = [await tokens('carla'), await tokens('dan')]
    for (const node of site.nodes) {
      expect(await pinged(`${node}/acme`, hers['access_token'], site)).toBe(200)
      expect(await pinged(`${node}/acme`, his['access_token'], site)).toBe(404)
    }
    const renewed = await program.form('/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: String(hers['refresh_token']),
      client_id: program.id,
    })
    for (const node of site.nodes) expect(await pinged(`${node}/acme`, renewed.body['access_token'], site)).toBe(200)
  })
})

/** A tenant for each claim that a test looks for. */
const tenants = Object.fromEntries(
  Object.entries({
    acme: ['org', 'acme'],
    other: ['org', 'other'],
    mail: ['email', 'carla@corp.test'],
    named: ['name', 'Ada <b>'],
    admin: ['scp', 'admin'],
    staff: ['groups', 'staff'],
  }).map(([tenant, [claim, value]]) => [tenant, { backends: ['demo'], members: { claim, values: [value] } }]),
)

verifies('LOGIN-9', http, async (cell) => {
  const server = { clients: { robot } }
  const corp = { scopes: ['email', 'profile', 'groups'], claims: { org: 'acme' } }
  const provider = { saysMoreAtUserInfo: cell.nodes === 2 }
  await withUpstream(cell, { server, corp, provider, hasPartner: true, config: { tenants } }, async (site) => {
    site.corp.claims = {
      ada: { ...carla, name: 'Ada <b>', scp: 'admin', org: 'other' },
      eve: { email: 'carla@corp.test' },
      mallory: { email: 'carla@corp.test', email_verified: 'true' },
    }
    const program = await registered(site)
    const pages = await at('corp', 'ada').pagesOf(program.page(), redirectUrl)
    expect(pages[0]).toMatch(/Log in with corp[^]*Log in with partner/)
    expect(pages.at(-1)).toContain('You are carla@corp.test (corp).')
    const opened = async (person: PersonWithBrowser) => {
      const open: string[] = []
      let subject: unknown
      for (const tenant of Object.keys(tenants)) {
        const resource = `${site.url}/mcp/${tenant}`
        const { body } = await program.redeem(await program.code({ resource }, person))
        const statuses = await Promise.all(
          site.nodes.map((node) => pinged(`${node}/${tenant}`, body['access_token'], site)),
        )
        if (statuses.every((status) => status === 200)) open.push(tenant)
        subject = (await introspected(site, body['access_token']))['sub']
      }
      return { subject, open }
    }
    // The same name is three people. The operator's word on `org` counts more than the provider's, and what was not asked for
    // is not taken over.
    expect(await opened(new PersonWithBrowser('ada', password))).toEqual({ subject: 'ada', open: ['acme'] })
    expect(await opened(at('corp', 'ada'))).toEqual({
      subject: `${site.corp.url}|ada`,
      open: ['acme', 'mail', 'named'],
    })
    expect(await opened(at('partner', 'ada'))).toEqual({ subject: `${site.partner.url}|ada`, open: [] })
    // An address that the provider has not verified may be anybody's.
    for (const name of ['eve', 'mallory']) expect((await opened(at('corp', name))).open).toEqual(['acme'])
    // A user of the file still needs the password.
    expect((await new PersonWithBrowser('ada', 'wrong').attempts(program.page(), 1))[0]).toBe(401)
  })
})

verifies('LOGIN-9', http, async (cell) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const signer = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
  const corp = { privateKey: await exportPKCS8(privateKey), keyId: 'k1' }
  await withUpstream(cell, { server: alone, corp, signer, prefix: '/tools/gw' }, async (site) => {
    const program = await registered(site)
    const { body } = await program.redeem(await program.code({}, at('corp')))
    for (const node of site.nodes) expect(await pinged(node, body['access_token'], site)).toBe(200)
  })
})

verifies('LOGIN-11', http, async (cell) => {
  const members = { claim: 'email', values: ['carla@corp.test', 'dan@corp.test'] }
  await withUpstream(cell, { server: { ...alone, clients: { robot } }, corp: { members } }, async (site) => {
    site.corp.claims = {
      carla,
      dan: { email: 'dan@corp.test', email_verified: false },
      eve: { email: 'eve@corp.test' },
    }
    const program = await registered(site)
    const shown: string[] = []
    const refused = async (name: string) => {
      const answer = await at('corp', name).stopped(program.page())
      shown.push(answer.text)
      return answer
    }
    // Not on the list, or with an address of the list that is not verified.
    for (const name of ['eve', 'dan']) {
      expect(await refused(name)).toMatchObject({ status: 403, text: expect.stringContaining('you may not use') })
    }
    const { body } = await program.redeem(await program.code({}, at('corp')))
    for (const node of site.nodes) expect(await pinged(node, body['access_token'], site)).toBe(200)

    // The person refuses at the provider, and tries again in the same login.
    const person = at('corp')
    const answer = await answered(site, program, person)
    const denied = await person.stopped(changed(answer, { code: undefined, error: 'access_denied' }))
    expect(denied).toMatchObject({
      status: 403,
      text: expect.stringContaining('corp has not let you in: access_denied'),
    })
    const script = changed(await answered(site, program, person), { code: undefined, error: '<script>' })
    expect((await person.stopped(script)).text).not.toContain('script')
    const [, again = ''] = /<a href="([^"]+)">Try again/.exec(denied.text) ?? []
    const end = await person.authorize(new URL(again, site.url), redirectUrl)
    expect((await program.redeem(String(end.searchParams.get('code')))).status).toBe(200)

    // The provider is down at the second step.
    const late = at('corp')
    const answeredLate = await answered(site, program, late)
    site.corp.isDown = true
    expect((await late.stopped(answeredLate)).status).toBe(502)
    site.corp.isDown = false

    // Nothing that the provider has issued is anywhere but here.
    const told = [
      inspect(site.records, { depth: 20 }),
      ...shown,
      inspect(body),
      inspect(await introspected(site, body['access_token'])),
    ]
    expect(site.corp.issued().length).toBeGreaterThan(0)
    for (const secret of [...site.corp.issued(), clientSecret]) {
      for (const text of told) expect(text.includes(secret)).toBe(false)
    }
  })
})

verifies('LOGIN-11', http, async (cell) => {
  await withUpstream(cell, { server: alone }, async (site) => {
    // It is down at the first step: nothing is known of it yet.
    const program = await registered(site)
    site.corp.isDown = true
    for (const _ of site.nodes) {
      const refused = await at('corp').stopped(program.page())
      expect(refused).toMatchObject({ status: 502, text: expect.stringContaining('corp cannot be reached') })
    }
    site.corp.isDown = false
    for (const _ of site.nodes) expect(await program.code({}, at('corp'))).toMatch(/./)
    expect(site.records.map(({ message }) => message)).toContain('a login at an OpenID provider cannot begin')
  })
})

verifies('LOGIN-12', http, async (cell) => {
  await withUpstream(cell, { server: { clients: { robot } } }, async (site, optionsAt) => {
    site.corp.claims = { carla }
    const program = await registered(site)
    const [hers, his] = [at('corp'), new PersonWithBrowser('bob', password)]
    const tokenOf = async (person: PersonWithBrowser) => (await program.redeem(await program.code({}, person))).body
    const [one, two] = [await tokenOf(hers), await tokenOf(his)]
    const statuses = async (token: unknown) =>
      new Set(await Promise.all(site.nodes.map((node) => pinged(node, token, site))))
    expect([await statuses(one['access_token']), await statuses(two['access_token'])]).toEqual([
      new Set([200]),
      new Set([200]),
    ])

    // She is not on the list any more. He is somebody of the file.
    const server = { clients: { robot } }
    await site.reload(optionsAt({ server, corp: { members: { claim: 'email', values: ['dan@corp.test'] } } }))
    await expect.poll(() => statuses(one['access_token'])).toEqual(new Set([401]))
    const renew = (refresh: unknown) =>
      program.form('/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: String(refresh),
        client_id: program.id,
      })
    expect((await renew(one['refresh_token'])).body['error']).toBe('invalid_grant')
    expect(await statuses(two['access_token'])).toEqual(new Set([200]))
    // Her browser is still logged in as somebody who is gone: it logs in again, as somebody else, with nothing of hers.
    expect(await hers.stopped(program.page())).toMatchObject({ status: 403 })
    const ada = await tokenOf(hers.handOver('ada', password))
    for (const node of site.nodes) expect(await pinged(node, ada['access_token'], site)).toBe(200)
    expect(await introspected(site, ada['access_token'])).toMatchObject({ sub: 'ada' })
    // So does anybody whom a client sends back to the login.
    const page = program.page({ prompt: 'login' })
    const end = await hers.handOver('bob', password).authorize(page, redirectUrl)
    const bob = (await program.redeem(String(end.searchParams.get('code')))).body
    expect(await introspected(site, bob['access_token'])).toMatchObject({ sub: 'bob' })
    expect(await statuses(bob['access_token'])).toEqual(new Set([200]))

    // The configuration of now decides: she is on the list again, and then her provider is out of the file.
    await site.reload(optionsAt({ server }))
    const back = await tokenOf(at('corp'))
    expect(await statuses(back['access_token'])).toEqual(new Set([200]))
    await site.reload(server)
    await expect.poll(() => statuses(back['access_token'])).toEqual(new Set([401]))
  })
})

verifies('LOGIN-13', http, async (cell) => {
  await withUpstream(cell, { server: { scopes: ['mcp', 'sums'] } }, async (site) => {
    const program = await registered(site)
    const page = changed(program.page(), { scope: undefined })
    const endpoint = `${site.url}/oauth/authorize`
    const post = (body: URLSearchParams | string) => fetch(endpoint, { method: 'POST', redirect: 'manual', body })
    const posted = await post(page.searchParams)
    expect(posted.status).toBe(303)
    // RFC 6749 section 3.1: a parameter without a value is left out. RFC 3986 section 3.4: a query may have question marks.
    const empty = new URL(`${page.href}&scope=`)
    const asked = new URL(page.href.replace('a+state', 'a?state'))
    const starts = [page, new URL(String(posted.headers.get('location')), endpoint), empty, asked]
    for (const start of starts) {
      const end = await new PersonWithBrowser('ada', password).authorize(start, redirectUrl)
      const { body } = await program.redeem(String(end.searchParams.get('code')))
      expect(body['scope']).toBe('mcp sums')
      expect(end.searchParams.get('state')).toBe(start === asked ? 'a?state' : 'a state')
    }
    // Before anybody is asked for a consent to nothing.
    const unknown = await fetch(changed(page, { scope: 'files profile' }), { redirect: 'manual' })
    expect(String(unknown.headers.get('location'))).toMatch(/^[^?]+\?error=invalid_scope&.*scope=files\+profile/)
    const statuses = [await post('text'), await post(new URLSearchParams({ state: 'x'.repeat(9_000) }))]
    expect(statuses.map(({ status }) => status)).toEqual([415, 413])
  })
})
