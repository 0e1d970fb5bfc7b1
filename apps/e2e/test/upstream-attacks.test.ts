import { redirectUrl } from '@junctor/testkit'
import { decodeJwt, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { expect } from 'vitest'
import { answered, at, changed, registered } from '../src/login/upstream-people.ts'
import { clientSecret, withUpstream } from '../src/login/with-upstream.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

const alone = { users: {} }

verifies('LOGIN-10', http, async (cell) => {
  await withUpstream(cell, { server: alone }, async (site) => {
    const program = await registered(site)
    const [hers, others] = [at('corp'), at('corp', 'mallory')]
    const asked = () => site.corp.asked().filter((path) => path === '/token').length

    // Login CSRF: the attacker's finished answer in another browser, which has a login of its own or none.
    const stolen = await answered(site, program, others)
    await answered(site, program, hers)
    expect(await hers.stopped(stolen)).toMatchObject({ status: 400, text: expect.stringContaining('another browser') })
    const nobody = await at('corp').stopped(stolen)
    expect([nobody.status, asked()]).toEqual([400, 0])

    // The attacker's code with the state of the victim: the provider gives nothing for another verifier.
    const own = await answered(site, program, hers)
    const mixed = changed(own, { code: stolen.searchParams.get('code') ?? '' })
    expect(await hers.stopped(mixed)).toMatchObject({ status: 502, text: expect.stringContaining('cannot be used') })
    // The state is used up: the right code comes too late.
    expect((await hers.stopped(own)).status).toBe(400)

    // The answer is good once, at every node, and for the login that it belongs to.
    const welcome = at('corp')
    const good = await answered(site, program, welcome)
    const end = await welcome.authorize(good, redirectUrl)
    expect((await program.redeem(String(end.searchParams.get('code')))).status).toBe(200)
    for (const _ of site.nodes) expect((await welcome.stopped(good)).status).toBe(400)
    const first = await answered(site, program, hers)
    const second = await answered(site, program, hers)
    const [, uid = ''] = /interaction\/([^?/]+)/.exec((await locationOf(first)) ?? '') ?? []
    const inOther = new URL(`${site.url}/oauth/interaction/${uid}${second.search}`)
    expect((await hers.stopped(inOther)).status).toBe(400)

    // The cookie of the browser that began is signed.
    const forged = await fetch(inOther, { headers: { cookie: `junctor_interaction=${uid}` } })
    expect([forged.status, await forged.text()]).toEqual([400, expect.stringContaining('another browser')])

    // The stolen answer is still good for the browser that began.
    expect((await others.authorize(stolen, redirectUrl)).searchParams.get('code')).toMatch(/./)

    const wrong = [
      [{ state: 'invented' }, 400],
      [{ state: undefined }, 400],
      [{ code: undefined }, 502],
      [{ code: 'invented' }, 502],
      [{ iss: 'https://evil.example.com' }, 502],
      [{ iss: undefined }, 502],
    ] as const
    for (const [values, status] of wrong) {
      const answer = changed(await answered(site, program, hers), values)
      expect([values, (await hers.stopped(answer)).status]).toEqual([values, status])
    }
    const posted = await fetch(good, { method: 'POST', body: new URLSearchParams(good.search) })
    expect(posted.status).toBe(405)
  })
})

verifies('LOGIN-10', http, async (cell) => {
  await withUpstream(cell, { server: alone, hasPartner: true }, async (site) => {
    const program = await registered(site)
    const person = at('partner')
    // Mix-up: `partner` sends the browser on to `corp`, to get the code that `corp` issues for the gateway.
    const atPartner = await person.authorize(program.page(), (url) => url.href.startsWith(`${site.partner.url}/auth`))
    const atCorp = changed(new URL(`${site.corp.url}/auth${atPartner.search}`), {
      redirect_uri: `${site.url}/oauth/callback/corp`,
    })
    const back = await person.authorize(atCorp, `${site.url}/oauth/callback/`)
    expect(back.searchParams.get('iss')).toBe(site.corp.url)
    expect((await person.stopped(back)).status).toBe(400)
    // The same code at the place of `partner`: `iss` says that another provider has issued it.
    const moved = new URL(`${site.url}/oauth/callback/partner${back.search}`)
    expect((await person.stopped(moved)).status).toBe(502)
    expect([...site.partner.asked(), ...site.corp.asked()]).not.toContain('/token')
  })
})

verifies('LOGIN-10', http, async (cell) => {
  await withUpstream(cell, { server: alone, hasPartner: true }, async (site) => {
    const program = await registered(site)
    const { privateKey: stranger } = await generateKeyPair('ES256')
    const now = Math.floor(Date.now() / 1000)
    const signed = (claims: object, key = site.corp.key, header: object = {}) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'one', ...header }).sign(key)
    const shared = (claims: object) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(clientSecret))
    type Attack = (claims: Readonly<Record<string, unknown>>) => Promise<string | undefined>
    const attacks: Readonly<Record<string, Attack>> = {
      'signed with another key': (claims) => signed(claims, stranger),
      'signed with an unknown key': (claims) => signed(claims, stranger, { kid: 'two' }),
      'signed with the secret of the client': (claims) => shared(claims),
      'not signed': async (claims) => new UnsecuredJWT({ ...claims }).encode(),
      'with the nonce of another login': (claims) => signed({ ...claims, nonce: 'another' }),
      'without a nonce': (claims) => signed({ ...claims, nonce: undefined }),
      'for another client': (claims) => signed({ ...claims, aud: 'another' }),
      'for several clients': (claims) => signed({ ...claims, aud: ['gateway', 'another'], azp: 'another' }),
      'of another issuer': (claims) => signed({ ...claims, iss: site.partner.url }),
      'that is over': (claims) => signed({ ...claims, iat: now - 900, exp: now - 600 }),
      'without an end': (claims) => signed({ ...claims, exp: undefined }),
      'of nobody': (claims) => signed({ ...claims, sub: '' }),
      'of an object': (claims) => signed({ ...claims, sub: { toString: 'carla' } }),
      'that is none': async () => 'x.y.z',
      'that is missing': async () => undefined,
    }
    for (const [what, attack] of Object.entries(attacks)) {
      site.corp.tamper = async (answer) => ({
        ...answer,
        id_token: await attack(decodeJwt(String(answer['id_token']))),
      })
      const { status, text } = await at('corp').stopped(program.page({}))
      expect({ what, status, text }).toEqual({ what, status: 502, text: expect.stringContaining('cannot be used') })
    }
    // The same way without an attack: it is the attack that was refused.
    site.corp.tamper = async (answer) => ({ ...answer, id_token: await signed(decodeJwt(String(answer['id_token']))) })
    expect(await program.code({}, at('corp'))).toMatch(/./)
  })
})

async function locationOf(url: URL): Promise<string | null> {
  return (await fetch(url, { redirect: 'manual' })).headers.get('location')
}
