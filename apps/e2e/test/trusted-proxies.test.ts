import { PersonWithBrowser } from '@junctor/testkit'
import { expect } from 'vitest'
import { createHttpWire } from '../src/http-wire.ts'
import { demo, inGateway } from '../src/in-gateway.ts'
import { Program } from '../src/login/program.ts'
import { password, type Site, withLogin } from '../src/login/with-login.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

const behind = (...trustedProxies: readonly string[]) => ({ config: { listen: { http: { port: 0, trustedProxies } } } })

/** Tries wrong passwords for `name`, with another `X-Forwarded-For` for each. Resolves with the last status. */
async function guessed(
  site: Site,
  program: Program,
  { name = 'bob', times, from }: { name?: string; times: number; from?: (count: number) => string },
): Promise<number> {
  let last = 0
  for (let count = 0; count < times; count += 1) {
    if (from !== undefined) site.from(from(count))
    const person = new PersonWithBrowser(name, 'wrong')
    person.headers = { 'x-forwarded-for': `198.51.100.${count}` }
    const [status = 0] = await person.attempts(program.page(), 1)
    last = status
  }
  return last
}

verifies('LOGIN-14', http, async (cell) => {
  const times = 10 * cell.nodes + 2
  await withLogin(
    cell,
    {},
    async (site) => {
      const program = new Program(site)
      site.from('203.0.113.7')
      await program.register()
      const bob = () => program.code({}, new PersonWithBrowser('bob', password))

      // The attacker names another address with each guess. The proxy names the right one, behind it.
      expect(await guessed(site, program, { times: 1 })).toBe(401)
      expect(await guessed(site, program, { times })).toBe(429)
      await expect(bob()).rejects.toThrow('after 20 pages')
      // Bob is behind the same proxy. With the port of his connection, as some proxies write it, he is the same.
      for (const address of ['203.0.113.8', '203.0.113.8:4711']) {
        site.from(address)
        expect(await bob()).toMatch(/./)
      }
      site.from('203.0.113.7:4711')
      await expect(bob()).rejects.toThrow('after 20 pages')

      // Whoever has a network of IPv6 has all of its addresses.
      expect(await guessed(site, program, { times, from: (count) => `2001:db8:0:1::${count + 1}` })).toBe(429)
      site.from('[2001:db8:0:2::1]:4711')
      expect(await bob()).toMatch(/./)

      // Registrations too.
      const registrations = async (address: string) => {
        site.from(address)
        const statuses: number[] = []
        for (let count = 0; count < 20 * cell.nodes + 1; count += 1) {
          program.headers = { 'x-forwarded-for': `198.51.100.${count}` }
          statuses.push((await program.register()).status)
        }
        return [statuses[0], statuses.at(-1)]
      }
      expect(await registrations('203.0.113.9')).toEqual([201, 429])
      expect(await registrations('203.0.113.10')).toEqual([201, 429])
    },
    behind('127.0.0.0/8'),
  )
})

verifies('LOGIN-17', http, async (cell) => {
  await withLogin(
    cell,
    {},
    async (site) => {
      const program = new Program(site)
      await program.register()
      const begun = async () => {
        const { status, headers } = await fetch(program.page(), { redirect: 'manual' })
        return { status, wait: Number(headers.get('retry-after')) }
      }
      site.from('203.0.113.11')
      expect(await begun()).toMatchObject({ status: 303 })
      for (let count = 0; count < 300 * cell.nodes; count += 20) {
        await Promise.all(Array.from({ length: 20 }, begun))
      }
      const { status, wait } = await begun()
      expect([status, wait > 0 && wait <= 60]).toEqual([429, true])
      site.from('203.0.113.12')
      expect(await program.code({}, new PersonWithBrowser('bob', password))).toMatch(/./)
    },
    behind('127.0.0.0/8'),
  )
})

verifies('LOGIN-14', http, async (cell) => {
  // The proxy of this test is at 127.0.0.1: here it is like any client, and nothing that it says counts.
  const scene = cell.nodes === 1 ? {} : behind('192.0.2.0/24', '2001:db8::/32')
  await withLogin(
    cell,
    {},
    async (site) => {
      const program = new Program(site)
      await program.register()
      expect(await guessed(site, program, { times: 1 })).toBe(401)
      const times = 10 * cell.nodes + 2
      expect(await guessed(site, program, { times, from: (count) => `203.0.113.${count}` })).toBe(429)
    },
    scene,
  )
})

verifies('ACCESS-20', http, async (cell) => {
  const statusesAt = async (trustedProxies: readonly string[]): Promise<readonly number[]> => {
    const statuses: number[] = []
    await inGateway(
      cell,
      { demo: demo() },
      async ({ gateway }) => {
        const initialize = {
          jsonrpc: '2.0',
          id: 0,
          method: 'initialize',
          params: {
            protocolVersion: cell.revision,
            capabilities: {},
            clientInfo: { name: 'x', version: '1' },
          },
        }
        for (const address of [undefined, '127.0.0.1', '203.0.113.7', '127.0.0.1, 203.0.113.7', 'unknown']) {
          for (const url of gateway.urls) {
            const wire = createHttpWire([url])
            const headers = address === undefined ? {} : { 'x-forwarded-for': address }
            statuses.push((await wire.post(initialize, headers)).status)
            await wire.close()
          }
        }
      },
      behind(...trustedProxies),
    )
    return statuses.filter((_, index) => index % cell.nodes === 0)
  }
  expect(await statusesAt(['127.0.0.1'])).toEqual([200, 200, 401, 401, 401])
  // Without trusted proxies the header gives nothing. Still, who is not here needs credentials.
  expect(await statusesAt([])).toEqual([200, 200, 401, 401, 401])
})
