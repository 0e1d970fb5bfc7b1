import { hashPassword } from '@junctor/plugin-auth-server'
import { onTestFinished } from 'vitest'
import { startAlternatingProxy } from '../alternating-proxy.ts'
import type { Cell } from '../cell.ts'
import { demo, inGateway } from '../in-gateway.ts'

/** The gateway under test, by its public URL: requests go to its nodes in turn. */
export interface Site {
  readonly url: string
  /** The endpoints of the nodes themselves, each at `/mcp`. */
  readonly nodes: readonly string[]
}

/** The password of everyone. */
export const password = 'correct horse battery'

let hashed: Promise<string> | undefined

/** It takes a tenth of a second, once. */
function passwordHash(): Promise<string> {
  hashed ??= hashPassword(password)
  return hashed
}

/**
 * Runs a gateway with a login server of its own, where `ada` and `bob` may log in.
 *
 * @param prefix the path of its public URL, which the proxy in front of it removes
 */
export async function withLogin(
  cell: Cell,
  options: object,
  body: (site: Site) => Promise<void>,
  config: object = {},
  prefix = '',
): Promise<void> {
  const hash = await passwordHash()
  const proxy = await startAlternatingProxy()
  proxy.prefix = prefix
  onTestFinished(() => proxy.close())
  const users = { ada: { password: hash, claims: { org: 'acme' } }, bob: { password: hash } }
  await inGateway(
    cell,
    { demo: demo(), login: { authServer: { users, ...options } } },
    async ({ gateway }) => {
      proxy.targets = gateway.urls.map((url) => new URL(url).origin)
      await body({ url: `${proxy.url}${prefix}`, nodes: gateway.urls })
    },
    {
      config: {
        publicUrl: `${proxy.url}${prefix}`,
        auth: { server: 'login', scopes: ['mcp'] },
        tenants: {
          default: { backends: ['demo'] },
          acme: { backends: ['demo'], members: { claim: 'org', values: ['acme'] } },
          other: { backends: ['demo'], members: { claim: 'org', values: ['other'] } },
          nobodys: { backends: ['demo'] },
        },
        ...config,
      },
    },
  )
}
