import { PersonWithBrowser, redirectUrl } from '@junctor/testkit'
import { decodeJwt, SignJWT } from 'jose'
import { expect } from 'vitest'
import { pinged } from '../src/login/pinged.ts'
import { at, changed, registered, sentToCorp } from '../src/login/upstream-people.ts'
import { password } from '../src/login/with-login.ts'
import { type UpstreamSite, withUpstream } from '../src/login/with-upstream.ts'
import { movableClock } from '../src/movable-clock.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

/**
 * For tests that let time pass during a login. A nats-server has a clock of its own, which no test moves: the nodes correct
 * theirs by it, one before the other, and until then what one has stored may be expired for the other.
 */
const alone = { ...http, nodes: [1] } as const

const minutes = 60_000

const askedAt = ({ corp }: UpstreamSite, path: string): number => corp.asked().filter((asked) => asked === path).length

verifies('LOGIN-12', http, async (cell) => {
  const clock = movableClock()
  const options = { server: { accessToken: 3600 }, corp: { loginAgain: 20 * 60 } }
  await withUpstream(cell, options, async (site) => {
    const program = await registered(site)
    const hers = at('corp')
    const tokensOf = async (person: PersonWithBrowser) => (await program.redeem(await program.code({}, person))).body
    const renew = (refresh: unknown) =>
      program.form('/oauth/token', {
        grant_type: 'refresh_token',
        refresh_token: String(refresh),
        client_id: program.id,
      })
    const statuses = async (token: unknown) =>
      new Set(await Promise.all(site.nodes.map((node) => pinged(node, token, site))))
    const first = await tokensOf(hers)
    const his = await tokensOf(new PersonWithBrowser('bob', password))

    clock.forward(15 * minutes)
    const renewed = (await renew(first['refresh_token'])).body
    expect(await statuses(renewed['access_token'])).toEqual(new Set([200]))

    // The login is what counts: neither renewing nor the life of the tokens makes it longer.
    clock.forward(5 * minutes)
    await expect.poll(() => statuses(renewed['access_token'])).toEqual(new Set([401]))
    const { status, body } = await renew(renewed['refresh_token'])
    expect([status, body['error']]).toEqual([400, 'invalid_grant'])
    expect(await statuses(his['access_token'])).toEqual(new Set([200]))

    // Her browser still has the session of the gateway. It must go to the provider all the same.
    const before = askedAt(site, '/auth')
    const again = await tokensOf(hers)
    expect(askedAt(site, '/auth')).toBe(before + 1)
    expect(await statuses(again['access_token'])).toEqual(new Set([200]))
    clock.forward(19 * minutes)
    expect(await statuses(again['access_token'])).toEqual(new Set([200]))
  })
})

verifies('LOGIN-10', alone, async (cell) => {
  const clock = movableClock()
  await withUpstream(cell, { server: { users: {} } }, async (site) => {
    const program = await registered(site)
    const [slow, late] = [at('corp'), at('corp')]

    const begun = await sentToCorp(site, program, slow)
    clock.forward(9 * minutes)
    const end = await slow.authorize(begun, redirectUrl)
    expect((await program.redeem(String(end.searchParams.get('code')))).status).toBe(200)

    const began = await sentToCorp(site, program, late)
    clock.forward(10 * minutes)
    const before = askedAt(site, '/token')
    expect(await late.stopped(began)).toMatchObject({ status: 400, text: expect.stringContaining('it took too long') })
    expect(askedAt(site, '/token')).toBe(before)
    // Back at the client, the person begins again.
    expect(await program.code({}, late)).toMatch(/./)
  })
})

const recent = { scope: 'openid mcp offline_access', max_age: '300' }
const now = { scope: 'openid mcp offline_access', prompt: 'login' }

verifies('LOGIN-15', alone, async (cell) => {
  const clock = movableClock()
  await withUpstream(cell, { server: { users: {} }, corp: { loginAgain: 15 * 60 } }, async (site) => {
    const program = await registered(site)
    const seconds = () => Math.floor(Date.now() / 1000)
    const askedFor = ({ searchParams }: URL) => [searchParams.get('max_age'), searchParams.get('prompt')]
    const asked = async (more: Readonly<Record<string, string>>) =>
      askedFor(await sentToCorp(site, program, at('corp'), more))
    expect(await asked({})).toEqual([null, null])
    expect(await asked(recent)).toEqual(['300', null])
    expect(await asked(now)).toEqual(['0', 'login'])
    expect(await asked({ ...recent, max_age: '0' })).toEqual(['0', 'login'])

    const hers = at('corp')
    /** Logs in. Resolves with how many seconds ago that was at the provider, and whether the browser was sent there. */
    const login = async (more: Readonly<Record<string, string>>) => {
      const before = askedAt(site, '/auth')
      const { body } = await program.redeem(await program.code(more, hers))
      const { auth_time: time = -1 } = typeof body['id_token'] === 'string' ? decodeJwt(body['id_token']) : {}
      return { ago: seconds() - Number(time), isSent: askedAt(site, '/auth') > before }
    }
    const isNew = { ago: expect.toSatisfy((ago: number) => ago < 60), isSent: true }
    await login({})

    // The login is too old, so the provider asks again. Then it is recent for a while.
    clock.forward(10 * minutes)
    expect(await login(recent)).toEqual(isNew)
    expect(await login(recent)).toEqual({ ...isNew, isSent: false })
    expect(await login(now)).toEqual(isNew)
    expect(await login({ ...recent, max_age: '0' })).toEqual(isNew)

    // The gateway lets her log in again, and the provider remembers her. So that is no new login.
    clock.forward(20 * minutes)
    expect((await login({})).isSent).toBe(true)
    expect(await login(recent)).toEqual(isNew)
  })
})

/** What the provider answers, with another time of the login. */
function withAuthTime({ corp }: UpstreamSite, authTime: unknown) {
  return async (answer: Readonly<Record<string, unknown>>) => ({
    ...answer,
    id_token: await new SignJWT({ ...decodeJwt(String(answer['id_token'])), auth_time: authTime as undefined })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .sign(corp.key),
  })
}

verifies('LOGIN-15', http, async (cell) => {
  await withUpstream(cell, { server: { users: {} } }, async (site) => {
    const program = await registered(site)
    const lies = (authTime: unknown) => withAuthTime(site, authTime)
    const seconds = () => Math.floor(Date.now() / 1000)
    const endOf = async (more: Readonly<Record<string, string>>) => {
      const answer = await at('corp').stopped(program.page(more))
      return answer.status
    }
    const times: Readonly<Record<string, unknown>> = {
      'no time': undefined,
      'an old time': seconds() - 400,
      'a time to come': seconds() + 400,
      'a text': String(seconds()),
      null: null,
      'a list': [seconds()],
      'a time before 1970': -1,
    }
    for (const [what, time] of Object.entries(times)) {
      site.corp.tamper = lies(time)
      expect({ what, ends: [await endOf(recent), await endOf(now)] }).toEqual({ what, ends: [502, 502] })
    }
    // Who did not ask for a recent login takes an old one, and one without a time.
    for (const time of [undefined, seconds() - 400]) {
      site.corp.tamper = lies(time)
      expect(await program.code({}, at('corp'))).toMatch(/./)
    }
    site.corp.tamper = lies('yesterday')
    expect(await endOf({})).toBe(502)

    // A login that would do for `max_age` does not do for `prompt=login`.
    site.corp.tamper = lies(seconds() - 200)
    expect(await program.code(recent, at('corp'))).toMatch(/./)
    expect(await endOf(now)).toBe(502)
  })
})

verifies('LOGIN-15', alone, async (cell) => {
  const clock = movableClock()
  await withUpstream(cell, { server: { users: {} } }, async (site) => {
    const program = await registered(site)

    // The person at the browser takes out what the provider is asked for.
    for (const more of [recent, now]) {
      const person = at('corp')
      await program.code({}, person)
      clock.forward(10 * minutes)
      const page = await sentToCorp(site, program, person, more)
      const quiet = changed(page, { max_age: undefined, prompt: undefined })
      expect((await person.stopped(quiet)).status).toBe(502)
    }

    // The person logs in at once, and stays at the provider for nine minutes. The login is new all the same.
    const slow = at('corp')
    const begun = await sentToCorp(site, program, slow, now)
    site.corp.tamper = withAuthTime(site, Math.floor(Date.now() / 1000))
    clock.forward(9 * minutes)
    expect((await slow.authorize(begun, redirectUrl)).searchParams.get('code')).toMatch(/./)
  })
})
