import { setTimeout as pause } from 'node:timers/promises'
import { startGateway } from '@junctor/interop-tool'
import { hashPassword } from '@junctor/plugin-auth-server'
import { freePort, OAuthMemory, officialClients } from '@junctor/testkit'
import type { BrowserContext, Page } from 'playwright-core'
import { expectEqual } from './expectations.ts'

const password = 'correct horse battery'

/**
 * The whole way of a client that knows only the URL of an endpoint: it registers, a person logs in and agrees in the browser,
 * it calls a tool, asks for one more scope, renews its token, and is cut off when that is revoked. Throws at the first
 * step that fails.
 *
 * @param version the version of the official SDK
 */
export async function loginInBrowser(browser: BrowserContext, version: keyof typeof officialClients): Promise<void> {
  await using started = new AsyncDisposableStack()
  const gateway = await startWithLogin()
  started.defer(() => gateway.close())
  const memory = new OAuthMemory(`A client of ${version} in a browser test`, callback)
  const page = await browser.newPage()
  started.defer(() => page.close())

  const open = (): ReturnType<(typeof officialClients)[typeof version]> =>
    officialClients[version](new URL(gateway.endpoint), memory)
  const first = open()
  await refused('the first request', first.connect())
  await first.finish(await answerOf(page, memory.page, ['Log in', 'Allow']))

  const official = open()
  await official.connect()
  const { client } = official
  started.defer(() => client.close())
  const called = await client.callTool({ name: 'demo__echo', arguments: { message: 'hello' } })
  expectEqual('the result', JSON.stringify(called.content), '[{"type":"text","text":"hello"}]')

  // The person is logged in: only the new scope is asked for.
  const add = () => client.callTool({ name: 'demo__add', arguments: { a: 1, b: 2 } })
  if (version === 'v1') {
    // As long as it has a refresh token, it renews its token instead of asking for the scope. Its program has to drop that one.
    await refused('the call of a client that renews', add())
    const { refresh_token: _dropped, ...tokens } = memory.tokens() ?? { access_token: '', token_type: '' }
    memory.saveTokens(tokens)
    await client.listTools()
  }
  await refused('the call without the scope', add())
  await official.finish(await answerOf(page, memory.page, ['Allow']))
  const sum = await add()
  expectEqual('the sum', JSON.stringify(sum.content), JSON.stringify([{ type: 'text', text: '{"sum":3}' }]))

  await renewAndRevoke(gateway.endpoint, memory, () => client.listTools())
}

/** A gateway where `ada` logs in. */
async function startWithLogin(): ReturnType<typeof startGateway> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const users = { ada: { password: await hashPassword(password) } }
  return startGateway(
    {
      demo: { plugin: '@junctor/plugin-demo' },
      login: { authServer: { users, scopes: ['mcp', 'sums'], accessToken: tokenSeconds } },
    },
    {
      listen: { http: { port } },
      publicUrl: url,
      auth: { server: 'login', scopes: ['mcp'], toolScopes: { 'demo:add': ['sums'] } },
      tenants: { default: { backends: ['demo'] } },
    },
  )
}

/**
 * The client renews its token when the gateway refuses it, and asks nobody; when its person has taken that away, it is
 * cut off.
 */
async function renewAndRevoke(endpoint: string, memory: OAuthMemory, request: () => Promise<unknown>): Promise<void> {
  const old = memory.tokens()?.access_token
  await endOf('the first token', endedMs, () => pinged(endpoint, old))
  memory.page = undefined
  await request()
  expectEqual('the renewal', `${memory.tokens()?.access_token !== old}, ${memory.page ?? 'no page'}`, 'true, no page')

  const { refresh_token: refresh, access_token: access = '' } = memory.tokens() ?? {}
  const { client_id: id = '' } = memory.clientInformation() ?? {}
  const form = new URLSearchParams({ token: refresh ?? access, client_id: id })
  await fetch(new URL('/oauth/revoke', endpoint), { method: 'POST', body: form })
  await endOf('the session after the revocation', revokedMs, request)
}

/** How long a token is good, in seconds: as short as the login server allows. */
const tokenSeconds = 10

/** How long a token may still be good after it was issued, and after it was revoked, in milliseconds. */
const endedMs = tokenSeconds * 1_000 + 2_000
const revokedMs = 2_000

/** Sends a ping with a token, and throws if it is refused. */
async function pinged(endpoint: string, token: string | undefined): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: '*/*' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const { status } = await fetch(endpoint, { method: 'POST', headers, body })
  if (status === 401) throw new Error('The token is refused')
}

/** Waits until requests of the client are refused. */
async function endOf(what: string, ms: number, request: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + ms
  while (performance.now() < end) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const isRefused = await request().then(
      () => false,
      () => true,
    )
    if (isRefused) return
    // oxlint-disable-next-line no-await-in-loop -- see above
    await pause(50)
  }
  throw new Error(`Expected ${what} to be over`)
}

/** Where the client gets its codes. Nobody listens there: the browser says where it was sent. */
const callback = 'http://127.0.0.1:47119/callback'

/** Opens the page of a client, presses these buttons, and returns what the client gets with its code. */
async function answerOf(page: Page, opened: URL | undefined, buttons: readonly string[]): Promise<URLSearchParams> {
  if (opened === undefined) throw new Error('Expected the client to name a page')
  const sent = Promise.withResolvers<URL>()
  await page.route(`${callback}*`, async (route) => {
    sent.resolve(new URL(route.request().url()))
    await route.fulfill({ body: 'done' })
  })
  await page.goto(opened.href)
  for (const name of buttons) {
    if (name === 'Log in') {
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await page.getByLabel('Name').fill('ada')
      // oxlint-disable-next-line no-await-in-loop -- see above
      await page.getByLabel('Password').fill(password)
    }
    // oxlint-disable-next-line no-await-in-loop -- see above
    await page.getByRole('button', { name }).click()
  }
  const url = await Promise.race([sent.promise, stuck(page)])
  await page.unroute(`${callback}*`)
  if (!url.searchParams.has('code')) throw new Error(`Expected a code, got ${url.search}`)
  return url.searchParams
}

async function stuck(page: Page): Promise<never> {
  await page.waitForTimeout(10_000)
  throw new Error(`Expected to be sent back to the client, but the browser shows "${await page.title()}"`)
}

/** Expects the request of a client to be refused. */
async function refused(what: string, request: Promise<unknown>): Promise<void> {
  const error: unknown = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!/unauthorized|scop/i.test(String(error))) throw new Error(`Expected ${what} to be refused, got ${String(error)}`)
}
