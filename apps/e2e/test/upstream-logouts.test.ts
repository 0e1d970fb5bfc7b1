import { PersonWithBrowser } from '@junctor/testkit'
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { expect } from 'vitest'
import { pinged } from '../src/login/pinged.ts'
import type { Program } from '../src/login/program.ts'
import { at, registered } from '../src/login/upstream-people.ts'
import { password } from '../src/login/with-login.ts'
import { clientSecret, type UpstreamSite, withUpstream } from '../src/login/with-upstream.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

const event = 'http://schemas.openid.net/event/backchannel-logout'

async function tokensOf(program: Program, person: PersonWithBrowser): Promise<Readonly<Record<string, unknown>>> {
  return (await program.redeem(await program.code({}, person))).body
}

async function statusesOf(site: UpstreamSite, token: unknown): Promise<readonly number[]> {
  return Promise.all(site.nodes.map((node) => pinged(node, token, site)))
}

async function renewed(program: Program, { refresh_token: refresh }: Readonly<Record<string, unknown>>) {
  const { status } = await program.form('/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: String(refresh),
    client_id: program.id,
  })
  return status
}

verifies('LOGIN-16', http, async (cell) => {
  await withUpstream(cell, { hasPartner: true }, async (site) => {
    const [one, two] = [await registered(site), await registered(site)]
    const [hers, his, other, bobs] = [
      at('corp'),
      at('corp', 'dan'),
      at('partner'),
      new PersonWithBrowser('bob', password),
    ]
    const [first, second] = [await tokensOf(one, hers), await tokensOf(two, hers)]
    const unredeemed = await one.code({}, hers)
    const rest = [await tokensOf(one, his), await tokensOf(one, other), await tokensOf(one, bobs)]
    const all = (status: number) => site.nodes.map(() => status)

    await site.corp.logout('gateway', 'carla')
    for (const { access_token: token } of [first, second]) {
      await expect.poll(() => statusesOf(site, token)).toEqual(all(401))
    }
    expect([await renewed(one, first), await renewed(two, second)]).toEqual([400, 400])
    expect((await one.redeem(unredeemed)).status).toBe(400)
    // Of the same name at another provider, of the same provider with another name, and of the file.
    for (const { access_token: token } of rest) expect(await statusesOf(site, token)).toEqual(all(200))

    // Her browser has a session here. It goes to the provider all the same, and what has ended stays so.
    const before = site.corp.asked().filter((path) => path === '/auth').length
    const again = await tokensOf(one, hers)
    expect(site.corp.asked().filter((path) => path === '/auth').length).toBe(before + 1)
    expect(await statusesOf(site, again['access_token'])).toEqual(all(200))
    for (const { access_token: token } of [first, second]) expect(await statusesOf(site, token)).toEqual(all(401))
    expect([await renewed(one, first), await renewed(two, second)]).toEqual([400, 400])
    expect(await renewed(one, again)).toBe(200)
    // Someone who has never been here.
    await site.corp.logout('gateway', 'nobody')
  })
})

verifies('LOGIN-16', http, async (cell) => {
  await withUpstream(cell, { hasPartner: true }, async (site) => {
    const program = await registered(site)
    const { access_token: token } = await tokensOf(program, at('corp'))
    const { privateKey: stranger } = await generateKeyPair('ES256')
    const now = Math.floor(Date.now() / 1000)
    const usual = {
      iss: site.corp.url,
      aud: 'gateway',
      sub: 'carla',
      iat: now,
      exp: now + 120,
      events: { [event]: {} },
    }
    let count = 0
    const claims = (changed: Readonly<Record<string, unknown>> = {}) =>
      ({ ...usual, jti: `${(count += 1)}`, ...changed }) as JWTPayload
    const signed = (payload: JWTPayload, key = site.corp.key) =>
      new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(key)
    const send = async (logoutToken: string, to = 'corp'): Promise<number> => {
      const body = new URLSearchParams({ logout_token: logoutToken })
      const answer = await fetch(`${site.url}/oauth/backchannel-logout/${to}`, { method: 'POST', body })
      expect(answer.headers.get('cache-control')).toBe('no-store')
      await answer.text()
      return answer.status
    }
    const attacks: Readonly<Record<string, Promise<string>>> = {
      'signed with another key': signed(claims(), stranger),
      'signed with the key of another provider': signed(claims(), site.partner.key),
      'signed with the secret of the client': new SignJWT(claims())
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(clientSecret)),
      'not signed': Promise.resolve(new UnsecuredJWT(claims()).encode()),
      'of another issuer': signed(claims({ iss: site.partner.url })),
      'for another client': signed(claims({ aud: 'another' })),
      'that is over': signed(claims({ iat: now - 300, exp: now - 180 })),
      'that is old': signed(claims({ iat: now - 3600 })),
      'of the future': signed(claims({ iat: now + 3600, exp: now + 3720 })),
      'without an end': signed(claims({ exp: undefined })),
      'without an id': signed(claims({ jti: undefined })),
      'that is an ID token': signed(claims({ nonce: 'n' })),
      'without the event': signed(claims({ events: {} })),
      'of a session alone': signed(claims({ sub: undefined, sid: 'a session' })),
      'that is none': Promise.resolve('x.y.z'),
    }
    for (const [what, attack] of Object.entries(attacks)) {
      expect({ what, status: await send(await attack) }).toEqual({ what, status: 400 })
    }
    const good = await signed(claims())
    expect(await send(good, 'partner')).toBe(400)
    expect(await send(good, 'invented')).toBe(400)
    expect(await send('x'.repeat(20_000))).toBe(413)
    expect((await fetch(`${site.url}/oauth/backchannel-logout/corp?logout_token=${good}`)).status).toBe(405)
    expect(new Set(await statusesOf(site, token))).toEqual(new Set([200]))

    // The same way without an attack; a report that somebody repeats ends no later login.
    expect(await send(good)).toBe(200)
    await expect.poll(async () => new Set(await statusesOf(site, token))).toEqual(new Set([401]))
    const { access_token: later } = await tokensOf(program, at('corp'))
    for (const _ of site.nodes) expect(await send(good)).toBe(400)
    expect(new Set(await statusesOf(site, later))).toEqual(new Set([200]))
  })
})
