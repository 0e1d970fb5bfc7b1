import { hash, randomBytes } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import { startAlternatingProxy } from '@junctor/testkit'
import { type StormNode, prepareNode } from '../storm/deployment/storm-node.ts'
import { startNatsServers } from '../storm/deployment/start-nats-servers.ts'

/** Gateways on NATS with a backend `api` that is called with the account of each caller, behind one public URL. */
export interface GrantNodes {
  readonly nodes: readonly StormNode[]
  /** Sets whether a node gets requests to the public URL. */
  readonly setPresent: (node: StormNode, isPresent: boolean) => void
  close(): Promise<void>
}

interface GrantNodesOptions {
  readonly folder: string
  readonly nodes: number
  /** The names of the people, each with a key of the same name. */
  readonly people: readonly string[]
  /** The URL of the MCP server. */
  readonly server: string
}

/** The key of a person. */
export const keyOf = (name: string): string => `key-of-${name}`

/** Starts NATS and the nodes one after the other. The caller closes them; when one does not start, nothing is left. */
export async function startGrantNodes({
  folder,
  nodes: count,
  people,
  server,
}: GrantNodesOptions): Promise<GrantNodes> {
  const nodes: StormNode[] = []
  const proxy = await startAlternatingProxy()
  const setPresent = (node: StormNode, isPresent: boolean): void => {
    const others = proxy.targets.filter((url) => url !== node.url)
    proxy.targets = isPresent ? [...others, node.url] : others
  }
  const nats = await startNatsServers(1, { isDurable: true })
  const keys = people.map((name) => [name, { hash: `sha256:${hash('sha256', keyOf(name), 'hex')}` }])
  const config: JsonObject = {
    publicUrl: proxy.url,
    fabric: { nats: { servers: [...nats.urls], key: randomBytes(32).toString('base64url') } },
    auth: { apiKeys: Object.fromEntries(keys) as JsonObject },
    backends: { api: { url: server, auth: { oauth: {} } } },
    limits: { drainDelay: '200ms' },
  }
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()))
    await nats.close()
    await proxy.close()
  }
  try {
    for (let index = 0; index < count; index += 1) {
      // oxlint-disable-next-line no-await-in-loop -- concurrent starts would only compete for the processors
      const node = await prepareNode({ name: `node-${index}`, role: 'gateway', folder, config })
      nodes.push(node)
      setPresent(node, true)
      // oxlint-disable-next-line no-await-in-loop -- see above
      await node.start()
    }
    return { nodes, setPresent, close }
  } catch (error) {
    await close()
    throw error
  }
}
