import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startGateway } from '@junctor/interop-tool'
import { hashPassword } from '@junctor/plugin-auth-server'
import { freePort } from '@junctor/testkit'
import type { BrowserContext, Page } from 'playwright-core'
import { expectEqual, expectText } from './expectations.ts'

const password = 'correct horse battery'

/** The screen of a small phone. */
const phone = { width: 320, height: 640 }

/**
 * A person connects two accounts on the pages of the gateway, sees both on the page of all accounts, ends one and then the
 * rest, on the screen of a phone. Throws at the first step that fails.
 *
 * @param screenshots the folder for a picture of the page
 */
export async function accountsInBrowser(browser: BrowserContext, screenshots: string): Promise<void> {
  await using started = new AsyncDisposableStack()
  const office = await startOffice()
  started.defer(() => office.close())
  const port = await freePort()
  const backend = { url: office.endpoint, auth: { oauth: {} } }
  const gateway = await startGateway(
    { mail: backend, calendar: backend },
    { listen: { http: { port } }, publicUrl: `http://127.0.0.1:${port}` },
  )
  started.defer(() => gateway.close())
  const client = new Client({ name: 'accounts-in-browser', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(gateway.endpoint)))
  started.defer(() => client.close())
  const page = await browser.newPage()
  started.defer(() => page.close())
  await page.setViewportSize(phone)

  const linksOf = async (name: string): Promise<readonly string[]> => {
    const said = JSON.stringify(await client.callTool({ name: `${name}__connect`, arguments: {} }))
    return said.match(/http:[^\s"\\]+/g) ?? []
  }
  const connect = async (name: string): Promise<void> => {
    const [link = ''] = await linksOf(name)
    await page.goto(link)
    await press(page, 'Connect')
    if ((await page.title()) === 'Log in') {
      await page.getByLabel('Name').fill('ada')
      await page.getByLabel('Password').fill(password)
      await press(page, 'Log in')
    }
    await press(page, 'Allow')
    await expectText(page.getByRole('heading', { level: 1 }), new RegExp(`^${name} is connected$`))
  }
  await connect('mail')
  await connect('calendar')

  const [, all = ''] = await linksOf('mail')
  await page.goto(all)
  await press(page, 'Show my accounts')
  const headings = async (): Promise<string> => (await page.getByRole('heading', { level: 2 }).allTextContents()).join()
  await expectText(page.getByRole('heading', { level: 1 }), /^Your accounts$/)
  expectEqual('the accounts', await headings(), 'mail,calendar,All of them')
  await page.screenshot({ path: join(screenshots, 'accounts.png'), fullPage: true })
  // A literal, because the code runs in the browser.
  const width = await page.evaluate('document.documentElement.scrollWidth')
  expectEqual('the width of the page', String(width), String(phone.width))

  await press(page, 'End the access to mail')
  await page.getByRole('button', { name: 'End the access to mail' }).waitFor({ state: 'detached' })
  expectEqual('the accounts', await headings(), 'calendar')
  await press(page, 'End the access to calendar')
  await expectText(page.getByRole('main'), /The gateway has access to none of your accounts/)
}

/** A server with accounts: a gateway with a login server of its own. */
async function startOffice(): ReturnType<typeof startGateway> {
  const port = await freePort()
  const users = { ada: { password: await hashPassword(password) } }
  return startGateway(
    { demo: { plugin: '@junctor/plugin-demo' }, login: { authServer: { users, scopes: ['mcp'] } } },
    {
      listen: { http: { port } },
      publicUrl: `http://127.0.0.1:${port}`,
      auth: { server: 'login', scopes: ['mcp'] },
      tenants: { default: { backends: ['demo'] } },
    },
  )
}

function press(page: Page, name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).click()
}
