import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startGateway } from '@junctor/interop-tool'
import { hashPassword } from '@junctor/plugin-auth-server'
import { freePort, OAuthMemory } from '@junctor/testkit'
import type { BrowserContext, Page } from 'playwright-core'
import { expectEqual } from './expectations.ts'

const password = 'correct horse battery'

/**
 * The whole way of a client that knows only the URL of an endpoint: it registers, a person logs in and agrees in the browser,
 * it calls a tool, asks for one more scope, and is cut off when its token is revoked. Throws at the first step that fails.
 */
export async function loginInBrowser(browser: BrowserContext): Promise<void> {
  await using started = new AsyncDisposableStack()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const users = { ada: { password: await hashPassword(password) } }
  const gateway = await startGateway(
    { demo: { plugin: '@junctor/plugin-demo' }, login: { authServer: { users, scopes: ['mcp', 'sums'] } } },
    {
      listen: { http: { port } },
      publicUrl: url,
      auth: { server: 'login', scopes: ['mcp'], toolScopes: { 'demo:add': ['sums'] } },
      tenants: { default: { backends: ['demo'] } },
    },
  )
  started.defer(() => gateway.close())
  const memory = new OAuthMemory('A client in a browser test', callback)
  const page = await browser.newPage()
  started.defer(() => page.close())

  const first = new StreamableHTTPClientTransport(new URL(gateway.endpoint), { authProvider: memory })
  await refused('the first request', new Client(program).connect(first))
  await first.finishAuth(await answerOf(page, memory.page, ['Log in', 'Allow']))

  const transport = new StreamableHTTPClientTransport(new URL(gateway.endpoint), { authProvider: memory })
  const client = new Client(program)
  await client.connect(transport)
  started.defer(() => client.close())
  const called = await client.callTool({ name: 'demo__echo', arguments: { message: 'hello' } })
  expectEqual('the result', JSON.stringify(called.content), '[{"type":"text","text":"hello"}]')

  // The person is logged in: only the new scope is asked for.
  const add = () => client.callTool({ name: 'demo__add', arguments: { a: 1, b: 2 } })
  await refused('the call without the scope', add())
  await transport.finishAuth(await answerOf(page, memory.page, ['Allow']))
  const sum = await add()
  expectEqual('the sum', JSON.stringify(sum.content), JSON.stringify([{ type: 'text', text: '{"sum":3}' }]))

  const { refresh_token: refresh, access_token: access = '' } = memory.tokens() ?? {}
  const { client_id: id = '' } = memory.clientInformation() ?? {}
  const form = new URLSearchParams({ token: refresh ?? access, client_id: id })
  await fetch(`${url}/oauth/revoke`, { method: 'POST', body: form })
  await endOf('the session after the revocation', () => client.ping())
}

const program = { name: 'login-in-browser', version: '1.0.0' }

/** How long a revoked token may still be good, in milliseconds. */
const revokedMs = 2_000

/** Waits until requests of the client are refused. */
async function endOf(what: string, request: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + revokedMs
  while (performance.now() < end) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const isRefused = await request().then(
      () => false,
      () => true,
    )
    if (isRefused) return
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
  if (!/unauthorized|scope/i.test(String(error)))
    throw new Error(`Expected ${what} to be refused, got ${String(error)}`)
}
