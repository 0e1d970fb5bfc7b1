import { hash, randomBytes } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import { type StormNode, prepareNode } from '../storm/deployment/storm-node.ts'
import { type NatsServers, startNatsServers } from '../storm/deployment/start-nats-servers.ts'
import type { FuzzClientKind } from './fuzz-plan.ts'

/** Gateways on NATS servers, with a tenant of profile `saas` and one of profile `mcp`. */
export interface FuzzNodes {
  readonly nodes: readonly StormNode[]
  readonly nats: NatsServers
  /** Changes the backend in the configuration of all nodes. */
  reload(): void
  /** Ends all of it. */
  close(): Promise<void>
}

interface FuzzNodesOptions {
  /** The folder for configurations and logs. */
  readonly folder: string
  readonly nodes: number
  /** The number of NATS servers: one stores everything, three store everything together. */
  readonly servers: number
  /** The API keys of the clients. */
  readonly keys: readonly string[]
}

/** The node that serves the clients on NATS. */
export const busNode = 0

/** The URL of a client's tenant at a node. */
export function tenantUrl({ url }: StormNode, kind: FuzzClientKind): string {
  if (kind === 'events') return `${url.replace(/\/mcp$/, '/sse')}/plain`
  return `${url}/${kind === 'saas' ? 'saas' : 'plain'}`
}

/** Starts NATS and the nodes one after the other. The caller closes them; when one does not start, nothing is left. */
export async function startFuzzNodes({ folder, nodes: count, servers, keys }: FuzzNodesOptions): Promise<FuzzNodes> {
  const nats = await startNatsServers(servers, { isDurable: true })
  const clusterKey = randomBytes(32).toString('base64url')
  const configOf = (timeout: number, node: number): JsonObject => ({
    // Thus the home of their sessions is known.
    listen: { nats: node === busNode },
    fabric: { nats: { servers: [...nats.urls], key: clusterKey, replicas: servers } },
    auth: { apiKeys: Object.fromEntries(keys.map((key, index) => [`client-${index}`, keyOf(key)])) },
    backends: { demo: { plugin: '@junctor/plugin-demo', prefix: '', timeout: `${timeout}s` } },
    tenants: { saas: { profile: 'saas', backends: ['demo'] }, plain: { backends: ['demo'] } },
    // Nodes are shut down often: they need not wait for load balancers.
    limits: { drainDelay: '200ms' },
  })
  let timeout = 60
  const nodes = await Promise.all(
    Array.from({ length: count }, (_, node) =>
      prepareNode({ name: `node-${node}`, role: 'gateway', folder, config: configOf(timeout, node) }),
    ),
  )
  const reload = (): void => {
    timeout += 1
    for (const [index, node] of nodes.entries()) node.configure(configOf(timeout, index))
  }
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()))
    await nats.close()
  }
  try {
    // Concurrent starts would only compete for the processors.
    // oxlint-disable-next-line no-await-in-loop
    for (const node of nodes) await node.start()
    return { nodes, nats, reload, close }
  } catch (error) {
    await close()
    throw error
  }
}

function keyOf(key: string): JsonObject {
  return { hash: `sha256:${hash('sha256', key, 'hex')}`, tenants: ['saas', 'plain'] }
}
