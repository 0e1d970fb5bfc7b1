import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { expect } from 'vitest'
import { agree, as, linkIn, withAccounts } from '../src/credentials/with-accounts.ts'
import { CookieBrowser } from '../src/credentials/cookie-browser.ts'
import { cutRequest } from '../src/cut-request.ts'
import { demo, inGateway } from '../src/in-gateway.ts'
import type { LogRecord } from '../src/log-recorder.ts'
import { registered } from '../src/login/upstream-people.ts'
import { withUpstream } from '../src/login/with-upstream.ts'
import { verifies } from '../src/verifies.ts'

// Clients that leave in the middle of their requests. The test runner watches for unhandled rejections.

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const token = 'a-token-for-the-test'

type CutRequest = readonly [url: string, headers: Readonly<Record<string, string>>]

/** Cuts a request for each page, and one for each endpoint. Nothing of it is logged as an error. */
async function cutAll(
  records: readonly LogRecord[],
  { pages, endpoints }: Readonly<Record<'pages' | 'endpoints', readonly CutRequest[]>>,
): Promise<void> {
  const count = (text: string) => records.filter(({ message }) => message === text).length
  await Promise.all([...pages, ...endpoints].map(([url, headers]) => cutRequest(url, { headers })))
  await expect.poll(() => count('a broken request was refused')).toBe(pages.length + endpoints.length)
  await expect.poll(() => count('a client left before its request was answered')).toBe(pages.length)
  expect(records.filter(({ level }) => level === 'error')).toEqual([])
}

/** The cookies of a browser that has opened a page. */
async function cookiesOf(page: string | URL) {
  const browser = new CookieBrowser()
  const { headers } = await browser.open(page)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { cookie, location: headers.get('location') ?? '' }
}

verifies('REL-10', http, async (cell) => {
  await withUpstream(cell, { hasPartner: true }, async (site) => {
    const { host } = new URL(site.url)
    const { cookie, location } = await cookiesOf((await registered(site)).page())
    const cut = (path: string, headers: Readonly<Record<string, string>>) =>
      site.nodes.map((node): CutRequest => [`${new URL(node).origin}${path}`, { host, ...headers }])
    await cutAll(site.records, {
      pages: [
        ...cut(new URL(location, site.url).pathname, { ...form, cookie }),
        ...cut('/oauth/register', json),
        ...cut('/oauth/authorize', form),
        ...cut('/oauth/backchannel-logout/corp', form),
      ],
      endpoints: ['/oauth/token', '/oauth/revoke'].flatMap((path) => cut(path, form)),
    })
  })
})

verifies('REL-10', http, async (cell) => {
  const config = { listen: { http: { port: 0 }, admin: { port: 0, token } } }
  await withAccounts(cell, { config }, async ({ client, gateway, publicUrl, records }) => {
    const ada = await client(as('ada'))
    const offered = async () => (await ada.request('tools/call', { name: 'api__connect', arguments: {} }))['result']
    await agree(linkIn(await offered()), 'ada')
    const one = linkIn(await offered())
    const all = linkIn(await offered(), 'connections/-')
    const { host } = new URL(publicUrl)
    const cut = (link: string, headers: Readonly<Record<string, string>>) =>
      gateway.urls.map((url): CutRequest => [`${new URL(url).origin}${new URL(link).pathname}`, { host, ...headers }])
    await cutAll(records, {
      pages: [
        ...cut(one, { ...form, cookie: (await cookiesOf(one)).cookie }),
        ...cut(all, { ...form, cookie: (await cookiesOf(all)).cookie }),
      ],
      endpoints: ['/mcp', '/mcp/default/jobs'].flatMap((path) => [
        ...cut(`${publicUrl}${path}`, json),
        ...cut(`${publicUrl}${path}`, { ...json, ...as('ada').headers }),
      ]),
    })
    const authorization = `Bearer ${token}`
    for (const admin of gateway.admins) {
      // oxlint-disable-next-line no-await-in-loop -- the second request shows that the first one is over
      await cutRequest(`${admin}/backends/x`, { method: 'PUT', headers: { ...json, authorization } })
      // oxlint-disable-next-line no-await-in-loop
      await (await fetch(`${admin}/status`, { headers: { authorization, connection: 'close' } })).text()
    }
    expect(records.filter(({ level }) => level === 'error')).toEqual([])
    expect((await ada.request('ping'))['error']).toBeUndefined()
  })
})

verifies('REL-16', http, async (cell) => {
  await inGateway(cell, { demo: demo() }, async ({ gateway, http: open }) => {
    const { session = '' } = await open()
    const { host, hostname, port, pathname } = new URL(gateway.urls[0] ?? '')
    const request = (id: number, ms: number): string => {
      const params = { name: 'demo__slow', arguments: { ms } }
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
      const headers = { host, ...json, 'mcp-session-id': session, 'content-length': String(body.length) }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      return [`POST ${pathname} HTTP/1.1`, ...lines, '', body].join('\r\n')
    }
    const answers = await textOf(connect(Number(port), hostname).end(request(1, 200) + request(2, 1)))
    expect(answers).toMatch(/Did nothing for 200 ms[^]*Did nothing for 1 ms/)
  })
})
