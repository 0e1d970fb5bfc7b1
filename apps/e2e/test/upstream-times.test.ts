import { PersonWithBrowser, redirectUrl } from '@junctor/testkit'
import { expect } from 'vitest'
import { pinged } from '../src/login/pinged.ts'
import { at, registered } from '../src/login/upstream-people.ts'
import { password } from '../src/login/with-login.ts'
import { type UpstreamSite, withUpstream } from '../src/login/with-upstream.ts'
import { movableClock } from '../src/movable-clock.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

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

// A nats-server has a clock of its own, which no test moves.
verifies('LOGIN-10', { ...http, fabrics: ['memory'] }, async (cell) => {
  const clock = movableClock()
  await withUpstream(cell, { server: { users: {} } }, async (site) => {
    const program = await registered(site)
    const atCorp = (person: PersonWithBrowser) =>
      person.authorize(program.page(), (url) => url.href.startsWith(`${site.corp.url}/auth`))
    const [slow, late] = [at('corp'), at('corp')]

    const begun = await atCorp(slow)
    clock.forward(9 * minutes)
    const end = await slow.authorize(begun, redirectUrl)
    expect((await program.redeem(String(end.searchParams.get('code')))).status).toBe(200)

    const began = await atCorp(late)
    clock.forward(10 * minutes)
    const before = askedAt(site, '/token')
    expect(await late.stopped(began)).toMatchObject({ status: 400, text: expect.stringContaining('it took too long') })
    expect(askedAt(site, '/token')).toBe(before)
    // Back at the client, the person begins again.
    expect(await program.code({}, late)).toMatch(/./)
  })
})
