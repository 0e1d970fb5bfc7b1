import { hash } from 'node:crypto'
import { inspect } from 'node:util'
import { expect } from 'vitest'
import { gatewayClient } from '../fixtures/authorization-server.ts'
import { callTool, textResult, toolNames } from '../src/credentials/call-tool.ts'
import { CookieBrowser, formOf } from '../src/credentials/cookie-browser.ts'
import { type Accounts, agree, as, linkIn, withAccounts } from '../src/credentials/with-accounts.ts'
import type { Cell } from '../src/cell.ts'
import { verifies } from '../src/verifies.ts'
import { openHttpClient, type WireClient } from '../src/wire-client.ts'

// The page with all accounts of a person: two people, two tenants, two backends.

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

const keyOf = (name: string) => ({
  hash: `sha256:${hash('sha256', `key-of-${name}`, 'hex')}`,
  tenants: ['default', 'acme'],
})

const setting = {
  others: ({ url }: { readonly url: string }) => ({ mail: { url, auth: { oauth: {} } } }),
  config: {
    auth: { apiKeys: { ada: keyOf('ada'), bob: keyOf('bob') } },
    tenants: { default: { backends: ['api', 'mail'] }, acme: { backends: ['api', 'mail'] } },
  },
}

const asksAgain = expect.stringMatching(/\/connections\/(?:api|mail)\//)
const headings = (text: string) => [...text.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, heading]) => heading)

/** Connects a caller to a backend, as somebody at its server, and waits until calls get there. */
async function connect(client: WireClient, backend: string, name: string): Promise<void> {
  await agree(linkIn(await callTool(client, `${backend}__connect`)), name)
  await expect.poll(() => callTool(client, `${backend}__whoami`)).toEqual(textResult(name))
}

/** A browser in which the link to all accounts was used. */
async function opened(client: WireClient, backend = 'api', browser = new CookieBrowser()): Promise<CookieBrowser> {
  const link = linkIn(await callTool(client, `${backend}__connect`), 'connections/-')
  const asked = await browser.open(link)
  const used = await browser.open(link, { form: formOf(asked) })
  expect([used.status, used.headers.get('location')]).toEqual([303, './'])
  return browser
}

/** Callers at both tenants, connected at both backends but for ada at acme, who has one. */
async function openCallers(cell: Cell, { client, gateway }: Accounts) {
  const urls = gateway.urls.map((url) => `${url}/acme`)
  const [ada, bob, adaAtAcme] = await Promise.all([
    client(as('ada')),
    client(as('bob')),
    openHttpClient({ urls }, cell, as('ada')),
  ])
  for (const backend of ['api', 'mail']) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    await connect(ada, backend, `ada-at-${backend}`)
  }
  await connect(bob, 'api', 'bob-at-api')
  await connect(adaAtAcme, 'api', 'ada-of-acme')
  return { ada, bob, adaAtAcme }
}

verifies('CRED-12', http, async (cell) => {
  await withAccounts(cell, setting, async (accounts) => {
    const { ada, bob, adaAtAcme } = await openCallers(cell, accounts)
    const { publicUrl, server } = accounts
    await callTool(ada, 'mail__whoami')
    const mailToken = String(server.seen.at(-1)?.authorization)
    const page = `${publicUrl}/connections/-/`

    const browser = await opened(ada)
    const shown = await browser.open(page)
    expect([shown.status, headings(shown.text)]).toEqual([200, ['api', 'mail', 'All of them']])
    expect(shown.text).toContain('ada at the tenant default')
    expect(shown.text).toContain(new URL(server.url).host)
    expect(shown.text).toContain('<dt>Scopes</dt><dd>mcp</dd>')
    expect(shown.text).toMatch(/<dt>Since<\/dt><dd><time datetime="\d{4}-[^"]+Z">\d{4}-\d\d-\d\d \d\d:\d\d UTC<\/time>/)
    expect(shown.text).not.toContain(mailToken.slice('Bearer '.length))

    // One of them, then all that are left.
    const ended = await browser.open(page, { form: formOf(shown), end: 'api' })
    expect([ended.status, ended.headers.get('location')]).toEqual([303, './'])
    const left = await browser.open(page)
    expect(headings(left.text)).toEqual(['mail'])
    await expect
      .poll(async () => JSON.stringify(await callTool(ada, 'api__whoami')), { timeout: 8_000 })
      .toEqual(asksAgain)
    // A client that remembers the tool is asked too when the list no longer has it.
    await expect.poll(() => toolNames(ada)).not.toContain('api__whoami')
    expect(JSON.stringify(await callTool(ada, 'api__whoami'))).toEqual(asksAgain)
    expect(await callTool(ada, 'mail__whoami')).toEqual(textResult('ada-at-mail'))
    await connect(ada, 'api', 'ada-again')
    expect((await browser.open(page, { form: formOf(left), all: 'yes' })).status).toBe(303)
    expect((await browser.open(page)).text).toContain('The gateway has access to none of your accounts.')
    for (const tool of ['api__whoami', 'mail__whoami']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect.poll(async () => JSON.stringify(await callTool(ada, tool)), { timeout: 8_000 }).toEqual(asksAgain)
    }
    const direct = await fetch(server.url, { method: 'POST', headers: { authorization: mailToken }, body: '{}' })
    expect(direct.status).toBe(401)

    // Nothing of it was anybody else's, or theirs at another tenant.
    expect(await callTool(bob, 'api__whoami')).toEqual(textResult('bob-at-api'))
    expect(await callTool(adaAtAcme, 'api__whoami')).toEqual(textResult('ada-of-acme'))
    const acme = await (await opened(adaAtAcme)).open(page)
    expect([acme.text.includes('ada at the tenant acme'), headings(acme.text)]).toEqual([true, ['api']])
    await adaAtAcme.close()
  })
})

verifies('CRED-12', http, async (cell) => {
  await withAccounts(cell, { ...setting, tokenSeconds: 32 }, async ({ client, publicUrl }) => {
    const ada = await client(as('ada'))
    await connect(ada, 'api', 'ada')
    const browser = await opened(ada)
    // A token counts as old half a minute before its end.
    const renewed = async () => {
      expect(await callTool(ada, 'api__whoami')).toEqual(textResult('ada'))
      return (await browser.open(`${publicUrl}/connections/-/`)).text
    }
    expect(await renewed()).toContain('<dt>Last renewed</dt><dd>not yet</dd>')
    await expect.poll(renewed, { timeout: 10_000 }).toMatch(/<dt>Last renewed<\/dt><dd><time/)
  })
})

verifies('CRED-13', http, async (cell) => {
  await withAccounts(cell, setting, async (accounts) => {
    const { ada, bob, adaAtAcme } = await openCallers(cell, accounts)
    const { publicUrl, records } = accounts
    const page = `${publicUrl}/connections/-/`
    const offered = async (client: WireClient) => linkIn(await callTool(client, 'api__connect'), 'connections/-')
    const statusOf = async (answer: ReturnType<CookieBrowser['open']>) => (await answer).status

    // Without a link, or with an invented one.
    expect(await statusOf(new CookieBrowser().open(page))).toBe(403)
    expect(await statusOf(new CookieBrowser().open(page, { all: 'yes' }))).toBe(403)
    expect(await statusOf(new CookieBrowser().open(`${page}invented`))).toBe(404)
    expect((await fetch(page, { method: 'DELETE' })).status).toBe(405)

    // Who only opens a link, as a program may, sees nothing, and does not use it up.
    const link = await offered(ada)
    const [browser, other] = [new CookieBrowser(), new CookieBrowser()]
    const [asked, askedElsewhere] = [await browser.open(link), await other.open(link)]
    expect(asked.text).toContain('ada at the tenant default')
    expect(asked.text).not.toMatch(/<h2>|127\.0\.0\.1/)
    expect(asked.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/)
    expect(asked.headers.get('cache-control')).toBe('no-store')
    expect(await statusOf(browser.open(page))).toBe(403)
    // Its form is good in its browser alone, and once, at any node.
    expect(await statusOf(browser.open(link, {}))).toBe(403)
    expect(await statusOf(browser.open(link, { form: formOf(askedElsewhere) }))).toBe(403)
    expect(await statusOf(new CookieBrowser().open(link, { form: formOf(asked) }))).toBe(403)
    const form = formOf(asked)
    const twice = await Promise.all([browser.open(link, { form }), browser.open(link, { form })])
    expect(twice.map(({ status }) => String(status)).toSorted()).toEqual(['303', '404'])
    expect(await statusOf(other.open(link, { form: formOf(askedElsewhere) }))).toBe(404)
    expect(await statusOf(other.open(page))).toBe(403)

    // What one browser has is of no use in another one, and neither is what it has for another page.
    const shown = await browser.open(page)
    expect(shown.status).toBe(200)
    expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/)
    expect(shown.headers.getSetCookie()).toEqual([])
    const secret = browser.cookies.get('junctor_accounts') ?? ''
    const thief = new CookieBrowser([...other.cookies, ['junctor_accounts', secret]])
    expect(await statusOf(thief.open(page))).toBe(403)
    expect(await statusOf(thief.open(page, { form: formOf(shown), all: 'yes' }))).toBe(403)
    const forged = `${secret.slice(0, -8)}AAAAAAAA`
    expect(await statusOf(new CookieBrowser([...browser.cookies, ['junctor_accounts', forged]]).open(page))).toBe(403)
    for (const wrong of ['', 'x', form]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await statusOf(browser.open(page, { form: wrong, all: 'yes' }))).toBe(403)
    }
    expect(await statusOf(browser.open(page, { form: formOf(shown), end: 'nothing' }))).toBe(303)

    // Somebody else uses the same browser: the page that is still open ends nothing of theirs, or of another tenant.
    await opened(bob, 'api', browser)
    expect(await statusOf(browser.open(page, { form: formOf(shown), all: 'yes' }))).toBe(403)
    expect((await browser.open(page)).text).toContain('bob at the tenant default')
    await opened(adaAtAcme, 'api', browser)
    expect(await statusOf(browser.open(page, { form: formOf(shown), all: 'yes' }))).toBe(403)

    const all = [callTool(ada, 'api__whoami'), callTool(ada, 'mail__whoami'), callTool(bob, 'api__whoami')]
    expect(await Promise.all(all)).toEqual(['ada-at-api', 'ada-at-mail', 'bob-at-api'].map(textResult))
    expect(await callTool(adaAtAcme, 'api__whoami')).toEqual(textResult('ada-of-acme'))
    const logged = inspect(records, { depth: 20 })
    for (const known of [new URL(link).pathname.split('/').at(-1), secret, formOf(shown)]) {
      expect(logged).not.toContain(known)
    }
    await adaAtAcme.close()
  })
})

/** The tokens that the server has seen and that are still good at its authorization server. */
async function goodTokens({ server, authority }: Accounts): Promise<string[]> {
  const seen = new Set(server.seen.flatMap(({ authorization = '' }) => authorization.match(/(?<=^Bearer ).+/) ?? []))
  const checked = await Promise.all(
    [...seen].map(async (token) => {
      const { clientId, clientSecret } = gatewayClient
      const basic = Buffer.from([clientId, clientSecret].map(encodeURIComponent).join(':')).toString('base64')
      const headers = { authorization: `Basic ${basic}` }
      const body = new URLSearchParams({ token })
      const answer = await fetch(`${authority.url}/token/introspection`, { method: 'POST', headers, body })
      return ((await answer.json()) as { active: boolean }).active ? [token] : []
    }),
  )
  return checked.flat()
}

verifies('CRED-15', http, async (cell) => {
  await withAccounts(cell, setting, async (accounts) => {
    const { client, publicUrl, server } = accounts
    const page = `${publicUrl}/connections/-/`
    const [ada, bob] = await Promise.all([client(as('ada')), client(as('bob'))])
    await connect(ada, 'api', 'ada-at-api')
    await connect(bob, 'api', 'bob-at-api')
    const browser = await opened(ada)
    const shown = await browser.open(page)
    expect((await goodTokens(accounts)).length).toBeGreaterThan(0)
    const held = callTool(ada, 'api__hold')
    const heldOfBob = callTool(bob, 'api__hold')
    const calls = () => server.bodies.filter((body) => body.includes('"hold"')).length
    await expect.poll(calls).toBe(2)
    expect((await browser.open(page, { form: formOf(shown), end: 'api' })).status).toBe(303)
    // The call is answered before its server has answered, because its account has ended.
    expect(JSON.stringify(await held)).toEqual(asksAgain)
    server.release()
    expect(await heldOfBob).toEqual(textResult('released'))
    expect(calls()).toBe(2)
    // Whoever is connected again gets nothing of the old call.
    await connect(ada, 'api', 'ada-again')
    expect(await callTool(ada, 'api__whoami')).toEqual(textResult('ada-again'))
  })
})

verifies('CRED-15', http, async (cell) => {
  // Tokens that count as old as soon as they are issued: each call renews them.
  await withAccounts(cell, { ...setting, tokenSeconds: 20 }, async (accounts) => {
    const { client, publicUrl, authority } = accounts
    const page = `${publicUrl}/connections/-/`
    const [one, two] = [await client(as('ada')), await client(as('ada'))]
    for (let round = 0; round < 3; round += 1) {
      await connect(one, 'api', 'ada')
      await expect.poll(() => callTool(two, 'api__whoami')).toEqual(textResult('ada'))
      const browser = await opened(one)
      const shown = await browser.open(page)
      const renewed = authority.grants().length
      const calls = Array.from({ length: 6 }, (_, index) => callTool(index % 2 === 0 ? one : two, 'api__whoami'))
      await expect.poll(() => authority.grants().length).toBeGreaterThan(renewed)
      const [ended, ...results] = await Promise.all([browser.open(page, { form: formOf(shown), end: 'api' }), ...calls])
      expect(ended.status).toBe(303)
      for (const result of results) {
        if (JSON.stringify(result) !== JSON.stringify(textResult('ada')))
          expect(JSON.stringify(result)).toEqual(asksAgain)
      }
      expect((await browser.open(page)).text).toContain('The gateway has access to none of your accounts.')
      for (const each of [one, two]) {
        await expect
          .poll(async () => JSON.stringify(await callTool(each, 'api__whoami')), { timeout: 8_000 })
          .toEqual(asksAgain)
      }
      expect(await goodTokens(accounts)).toEqual([])
    }
  })
})
