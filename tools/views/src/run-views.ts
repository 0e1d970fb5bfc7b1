import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startGateway } from '@junctor/interop-tool'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { accountsInBrowser } from './accounts-in-browser.ts'
import { exampleServers } from './example-servers.ts'
import { expectEqual, expectText } from './expectations.ts'
import { loginInBrowser } from './login-in-browser.ts'
import { type HostedView, openView } from './open-view.ts'
import { servePage } from './serve-page.ts'

/** The modes of the client that the host uses: a handshake, and a revision without one. */
const modes = [
  { name: 'handshake', mode: 'legacy' },
  { name: 'stateless', mode: { pin: '2026-07-28' } },
] as const
type Mode = (typeof modes)[number]

/** What one check found. */
export interface ViewCheck {
  readonly name: string
  /** Undefined: it passed. */
  readonly problem: string | undefined
}

const time = /^\d{4}-\d\d-\d\dT/
const { clock, other, budget } = exampleServers

/** Shows the views in a browser, in both eras of the client, and writes a screenshot of each page. */
export async function runViews(
  executablePath: string,
  screenshots: string,
  onCheck: (check: ViewCheck) => void,
): Promise<readonly ViewCheck[]> {
  await using started = new AsyncDisposableStack()
  await mkdir(screenshots, { recursive: true })
  const page = await servePage()
  started.defer(() => page.close())
  const apart = await startGateway({ clock: clock.backend, budget: budget.backend })
  started.defer(() => apart.close())
  const alike = await startGateway({ clock: clock.backend, other: other.backend })
  started.defer(() => alike.close())
  const endpoints = { apart: apart.endpoint, alike: alike.endpoint }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] })
  started.defer(() => browser.close())

  const checks: ViewCheck[] = []
  for (const mode of modes) {
    for (const [name, scenario] of Object.entries(scenarios)) {
      const problem = await withHost(browser, page.url, join(screenshots, `${name}-${mode.name}.png`), (host) =>
        scenario(host, endpoints, mode),
      )
      const check = { name: `${name}, ${mode.name}`, problem }
      onCheck(check)
      checks.push(check)
    }
  }
  const pages: Readonly<Record<string, (context: BrowserContext) => Promise<void>>> = {
    'login, v1': (context) => loginInBrowser(context, 'v1'),
    'login, v2': (context) => loginInBrowser(context, 'v2'),
    accounts: (context) => accountsInBrowser(context, screenshots),
  }
  for (const [name, run] of Object.entries(pages)) {
    const check = { name, problem: await withContext(browser, run) }
    onCheck(check)
    checks.push(check)
  }
  return checks
}

/** Runs a check in a browser without cookies. Returns what is wrong. */
async function withContext(
  browser: Browser,
  check: (context: BrowserContext) => Promise<void>,
): Promise<string | undefined> {
  const context = await browser.newContext()
  try {
    await check(context)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await context.close()
  }
}

/** The endpoints of two gateways. */
interface Endpoints {
  /** The tools of its backends have different names. */
  readonly apart: string
  /** Both of its backends have a tool of one name, with a view of one URI. */
  readonly alike: string
}

type Scenario = (host: Page, endpoints: Endpoints, mode: Mode) => Promise<void>

const scenarios: Readonly<Record<string, Scenario>> = {
  'behind-a-prefix': async (host, { apart }, { mode }) => {
    const view = await openView(host, apart, mode, 'budget__get-budget-data')
    expectEqual('the URI of the view', view.uri, 'ui://budget/budget-allocator/mcp-app.html')
    expectEqual('the HTML of the view', view.html, await budget.view())
    await expectText(view.frame.locator('#status-bar'), /\$100,000/)
    await callsItsTool(await openView(host, apart, mode, 'clock__get-time'))
  },
  'beside-another-of-its-name': async (host, { alike }, { mode }) => {
    const view = await openView(host, alike, mode, 'clock__get-time')
    expectEqual('the HTML of the view', view.html, await clock.view())
    await expectText(view.frame.locator('code'), time)
    const second = await openView(host, alike, mode, 'other__get-time')
    expectEqual('the HTML of the other view', second.html, await other.view())
    // Two backends have a tool of this name: the gateway does not guess which one the view means.
    await view.frame.getByRole('button', { name: 'Get Server Time' }).click()
    await expectText(view.frame.locator('code'), /error/i)
  },
  'at-its-own-endpoint': async (host, { alike }, { mode }) => {
    for (const backend of ['clock', 'other']) {
      await callsItsTool(await openView(host, `${alike}/-/${backend}`, mode, 'get-time'))
    }
  },
}

/** The view of a clock has a time, and gets another one when it calls its tool by the name that it knows. */
async function callsItsTool({ frame }: HostedView): Promise<void> {
  const before = await expectText(frame.locator('code'), time)
  await frame.getByRole('button', { name: 'Get Server Time' }).click()
  await expectText(frame.locator('code'), time, before)
}

async function withHost(
  browser: Browser,
  url: string,
  screenshot: string,
  use: (host: Page) => Promise<void>,
): Promise<string | undefined> {
  const host = await browser.newPage()
  try {
    await host.goto(url)
    await use(host)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await host.screenshot({ path: screenshot, fullPage: true })
    await host.close()
  }
}
