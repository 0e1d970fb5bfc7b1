import { hash } from 'node:crypto'
import type { Cell } from '../cell.ts'
import { type GatewayUnderTest, startGateway } from '../gateway-under-test.ts'
import { demo } from '../in-gateway.ts'
import { type HttpWireClient, openHttpClient, type WireClientOptions } from '../wire-client.ts'
import { createDocumentClient, type MCPClient } from './document-client.ts'
import { studioPlugin } from './studio-plugin.ts'
import { createBrowserEnvironment, type WatchedBrowser } from './browser-environment.ts'

/** The tenant of the document's examples, and the token of its client. */
export const agency = '550e8400-e29b-41d4-a716-446655440000'
/** The API key of the document's client. */
export const token = 'your-access-token'
/** A second caller with access. */
export const otherToken = 'another-access-token'

/** The public URL of the gateway: URLs that it issues begin with it. */
export const publicUrl = 'https://server.com'

/** The document's client after its handshake, with its environment. */
export interface DocumentClient {
  readonly client: MCPClient
  /** The result of `initialize`. */
  readonly opened: unknown
  readonly around: WatchedBrowser
}

/** A gateway with the profile `saas` for the duration of a test. */
export interface SaasScene {
  readonly gateway: GatewayUnderTest
  /** The URL of the agency on each node. */
  readonly urls: readonly string[]
  /** Opens the document's client with a session and its stream. */
  readonly documentClient: () => Promise<DocumentClient>
  /** Opens a client by hand with a session; its stream consists of events. */
  readonly client: (options?: WireClientOptions) => Promise<HttpWireClient>
}

const keyOf = (key: string): object => ({ hash: `sha256:${hash('sha256', key, 'hex')}`, tenants: [agency] })

/** Runs such a gateway in a cell: the agency of the document, with the backends of the document and `more`. */
export async function inSaas(
  cell: Cell,
  body: (scene: SaasScene) => Promise<void>,
  more: { readonly backends?: Readonly<Record<string, object>>; readonly config?: object } = {},
): Promise<void> {
  const backends = { saas: demo({ saas: {} }), studio: { plugin: 'studio' }, ...more.backends }
  const config = {
    publicUrl,
    backends,
    tenants: { [agency]: { profile: 'saas', backends: Object.keys(backends) } },
    auth: { apiKeys: { client: keyOf(token), other: keyOf(otherToken) } },
    ...more.config,
  }
  const gateway = await startGateway({ ...cell, config, plugins: [studioPlugin] })
  const urls = gateway.urls.map((url) => `${url}/${agency}`)
  const closing: (() => Promise<void>)[] = []
  try {
    await body({
      gateway,
      urls,
      async documentClient() {
        const around = createBrowserEnvironment(gateway.urls)
        closing.push(() => around.close())
        const client = createDocumentClient(around, publicUrl, token, cell.revision)
        const opened = await client.initialize(agency)
        client.connectStreaming(agency)
        return { client, opened, around }
      },
      async client(options = {}) {
        const headers = headersAt(options.revision ?? cell.revision)
        const client = await openHttpClient({ urls }, cell, { ...options, headers: { ...headers, ...options.headers } })
        closing.push(() => client.close())
        return client
      },
    })
  } finally {
    await Promise.all(closing.map((close) => close()))
    await gateway.close()
  }
}

/** The headers that every request of a client must have. */
export function headersAt(revision: string): Readonly<Record<string, string>> {
  return {
    authorization: `Bearer ${token}`,
    ...(revision === '2025-06-18' && { 'mcp-protocol-version': revision }),
  }
}
