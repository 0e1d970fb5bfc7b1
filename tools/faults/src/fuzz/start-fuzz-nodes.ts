import { hash, randomBytes } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import { type NodeProcess, prepareNode } from '../storm/deployment/node-process.ts'
import { startNatsServers } from '../storm/deployment/start-nats-servers.ts'
import type { FuzzTenant } from './fuzz-plan.ts'

/** Gateways on one NATS server, with a tenant of profile `saas` and one of profile `mcp`. */
export interface FuzzNodes {
  readonly nodes: readonly NodeProcess[]
  /** Ends all of it. */
  close(): Promise<void>
}

/** Where a tenant is at a node. */
export function tenantUrl({ url }: NodeProcess, tenant: FuzzTenant): string {
  return `${url}/${tenant}`
}

/**
 * @param folder for configurations and logs
 * @param keys the API keys of the clients
 */
export async function startFuzzNodes(folder: string, count: number, keys: readonly string[]): Promise<FuzzNodes> {
  const servers = await startNatsServers(1)
  const config: JsonObject = {
    fabric: { nats: { servers: [...servers.urls], key: randomBytes(32).toString('base64url') } },
    auth: { apiKeys: Object.fromEntries(keys.map((key, index) => [`client-${index}`, keyOf(key)])) },
    backends: { demo: { plugin: '@junctor/plugin-demo', prefix: '' } },
    tenants: { saas: { profile: 'saas', backends: ['demo'] }, plain: { backends: ['demo'] } },
    // Nodes are asked to end often: each need not wait for load balancers.
    limits: { drainDelay: '200ms' },
  }
  const names = Array.from({ length: count }, (_, index) => `node-${index}`)
  const nodes = await Promise.all(names.map((name) => prepareNode({ name, role: 'gateway', folder, config })))
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()))
    await servers.close()
  }
  try {
    // Together they would only wait for each other's processors.
    // oxlint-disable-next-line no-await-in-loop
    for (const node of nodes) await node.start()
    return { nodes, close }
  } catch (error) {
    await close()
    throw error
  }
}

function keyOf(key: string): JsonObject {
  return { hash: `sha256:${hash('sha256', key, 'hex')}`, tenants: ['saas', 'plain'] }
}
