import { PersonWithBrowser, startAlternatingProxy } from '@junctor/testkit'
import { hash } from 'node:crypto'
import { onTestFinished } from 'vitest'
import {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  startAuthorizationServer,
} from '../../fixtures/authorization-server.ts'
import { type ProtectedServer, startProtectedServer } from '../../fixtures/protected-server.ts'
import type { Cell } from '../cell.ts'
import { inGateway, type Scene } from '../in-gateway.ts'
import { createLogRecorder, type LogRecord } from '../log-recorder.ts'

/** A gateway with a backend `api`, and maybe others, that is called with the account of each caller. */
export interface Accounts extends Scene {
  readonly authority: AuthorizationServer
  readonly server: ProtectedServer
  /** The public URL of the gateway: requests go to its nodes in turn. */
  readonly publicUrl: string
  readonly records: readonly LogRecord[]
}

const keyOf = (key: string): object => ({ hash: `sha256:${hash('sha256', key, 'hex')}` })

/** The headers of a caller: `ada` or `bob`. */
export const as = (name: string) => ({ headers: { authorization: `Bearer key-of-${name}` } })

interface AccountsOptions extends AuthorizationServerOptions {
  /** Options of the backend in place of those with accounts. */
  readonly backend?: (server: ProtectedServer, authority: AuthorizationServer) => object
  /** Further backends at this server, by name. */
  readonly others?: (server: ProtectedServer) => Readonly<Record<string, object>>
  /** Members of the configuration. */
  readonly config?: object
}

/** Runs a gateway whose backend wants tokens of an authorization server. Callers are `ada` and `bob`. */
export async function withAccounts(
  cell: Cell,
  { backend = () => ({}), others = () => ({}), config, ...options }: AccountsOptions,
  body: (accounts: Accounts) => Promise<void>,
): Promise<void> {
  const authority = await startAuthorizationServer('opaque', options)
  onTestFinished(() => authority.close())
  const server = await startProtectedServer(authority.url)
  onTestFinished(() => server.close())
  const proxy = await startAlternatingProxy()
  onTestFinished(() => proxy.close())
  const { log, records } = createLogRecorder()
  await inGateway(
    cell,
    { api: { url: server.url, auth: { oauth: {} }, ...backend(server, authority) }, ...others(server) },
    async (scene) => {
      proxy.targets = scene.gateway.urls.map((url) => new URL(url).origin)
      await body({ ...scene, authority, server, publicUrl: proxy.url, records })
    },
    {
      log,
      config: {
        publicUrl: proxy.url,
        auth: { apiKeys: { ada: keyOf('key-of-ada'), bob: keyOf('key-of-bob') } },
        ...config,
      },
    },
  )
}

/** A person agrees: opens the link of the gateway, logs in at the server's authority, and comes back. */
export async function agree(link: string, name: string): Promise<PersonWithBrowser> {
  const browser = new PersonWithBrowser(name)
  const grant = new URL('./', link)
  await browser.authorize(new URL(link), (url) => url.href === grant.href)
  return browser
}

/** The link in the result of a tool: to the account at one backend, or to all (`connections/-`). */
export function linkIn(result: unknown, pages: 'connections/[a-z]' | 'connections/-' = 'connections/[a-z]'): string {
  const [link] = new RegExp(String.raw`http[^\s"\\]+/${pages}[^\s"\\]+`).exec(JSON.stringify(result)) ?? []
  if (link === undefined) throw new Error(`Expected a link, got ${JSON.stringify(result)}`)
  return link
}
