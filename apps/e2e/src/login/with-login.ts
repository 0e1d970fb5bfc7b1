import { startAlternatingProxy } from '@junctor/testkit'
import type { Log } from '@junctor/contracts'
import { expect, onTestFinished } from 'vitest'
import type { Cell } from '../cell.ts'
import { demo, inGateway } from '../in-gateway.ts'
import { parsedFor } from '../parsed-for.ts'

/** The gateway under test, by its public URL: requests go to its nodes in turn. */
export interface Site {
  readonly url: string
  /** The endpoints of the nodes themselves, each at `/mcp`. */
  readonly nodes: readonly string[]
  /** Makes the proxy in front of the nodes name this address as that of every client. */
  from(address: string): void
  /** Changes the options of the login server at all nodes, as an operator does in the file. */
  reload(options: object): Promise<void>
}

/** The password of everyone. */
export const password = 'correct horse battery'

/** Its hash, as passlib has made it, at a hundredth of the usual cost: tests log in hundreds of times. */
const hash = '$scrypt$ln=10,r=8,p=1$WBxnXjGwwQgFNifpu6aiNQ$kp0q6h0iTwUNi6JFU0UYHk3Q2f68GrSUIr67uqrZC+s'

/** How a gateway with a login server differs from the usual one. */
interface LoginScene {
  /** The configuration besides the login server. */
  readonly config?: object
  /** Backends beside the demo and the login server. */
  readonly more?: Readonly<Record<string, object>>
  /** The path of its public URL, which the proxy in front of it removes. */
  readonly prefix?: string
  readonly log?: Log
}

/**
 * Runs a gateway with a login server of its own, where `ada` and `bob` may log in.
 *
 * @param options of the login server, or what makes them from the public URL
 */
export async function withLogin(
  cell: Cell,
  options: object | ((url: string) => object),
  body: (site: Site) => Promise<void>,
  { config = {}, more = {}, prefix = '', log }: LoginScene = {},
): Promise<void> {
  const proxy = await startAlternatingProxy()
  proxy.prefix = prefix
  onTestFinished(() => proxy.close())
  const publicUrl = `${proxy.url}${prefix}`
  const users = { ada: { password: hash, claims: { org: 'acme' } }, bob: { password: hash } }
  const backends = (own: object): Readonly<Record<string, object>> => ({
    demo: demo(),
    login: { authServer: { users, ...own } },
    ...more,
  })
  const file = {
    publicUrl,
    auth: { server: 'login', scopes: ['mcp'] },
    tenants: {
      default: { backends: ['demo'] },
      acme: { backends: ['demo'], members: { claim: 'org', values: ['acme'] } },
      other: { backends: ['demo'], members: { claim: 'org', values: ['other'] } },
      nobodys: { backends: ['demo'] },
    },
    ...config,
  }
  await inGateway(
    cell,
    backends(typeof options === 'function' ? (options as (url: string) => object)(publicUrl) : options),
    async ({ gateway }) => {
      proxy.targets = gateway.urls.map((url) => new URL(url).origin)
      await body({
        url: publicUrl,
        nodes: gateway.urls,
        from(address) {
          proxy.client = address
        },
        async reload(own) {
          const changed = {
            ...file,
            listen: { http: { port: 0 } },
            limits: { grace: '100ms' },
            backends: backends(own),
          }
          for (const node of gateway.nodes) expect((await node.reload(parsedFor(changed))).kind).toBe('taken')
        },
      })
    },
    { config: file, ...(log !== undefined && { log }) },
  )
}
