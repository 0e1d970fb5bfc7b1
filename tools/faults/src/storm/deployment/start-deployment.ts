import { compiledOnce } from '@junctor/testkit'
import { hash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@junctor/jsonrpc'
import { type StormNode, prepareNode } from './storm-node.ts'
import { type NatsServers, startNatsServers } from './start-nats-servers.ts'

const server = fileURLToPath(new URL('../backend/storm-server.ts', import.meta.url))

/** Gateways, workers and NATS, as real processes. */
export interface Deployment {
  readonly nodes: readonly StormNode[]
  readonly nats: NatsServers
  /** The file in which non-idempotent tools record their runs: a line with the id of the call. */
  readonly runs: string
  /** The file in which tools that wait for a cancel record their start and end: see `ledger/wait.ts`. */
  readonly waits: string
  /** Ends all of it. */
  close(): Promise<void>
}

interface DeploymentOptions {
  readonly folder: string
  readonly gateways: number
  readonly workers: number
  readonly nats: number
  /** The API keys of the clients, by their names. */
  readonly keys: Readonly<Record<string, string>>
  /** How long unused sessions and streams are kept, in milliseconds. Default: short, so that leaks show soon. */
  readonly idleMs?: number
}

const shortIdleMs = 10_000

/**
 * Starts NATS, then one node after the other. The caller closes them; when a node does not start, nothing is left.
 */
export async function startDeployment({
  folder,
  gateways,
  workers,
  nats,
  keys,
  idleMs = shortIdleMs,
}: DeploymentOptions): Promise<Deployment> {
  const runs = join(folder, 'runs.txt')
  const waits = join(folder, 'waits.txt')
  for (const file of [runs, waits]) writeFileSync(file, '')
  const servers = await startNatsServers(nats)
  const clusterKey = randomBytes(32).toString('base64url')
  const config: JsonObject = {
    listen: { nats: true },
    fabric: { nats: { servers: [...servers.urls], key: clusterKey, replicas: nats } },
    auth: { apiKeys: Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, { hash: hashOf(key) }])) },
    limits: { sessionIdle: `${idleMs}ms`, streamKeep: `${idleMs}ms` },
    timeout: '10s',
    backends: {
      tools: {
        command: process.execPath,
        args: [server, runs, waits],
        env: compiledOnce,
        isolation: 'shared',
        ...(workers > 0 && { runsOn: 'workers' }),
      },
      // Shorter than the clients' timeouts: a lost answer must end its call with a named error.
      demo: { plugin: '@junctor/plugin-demo', askTimeout: '10s' },
    },
  }
  const names = [
    ...Array.from({ length: gateways }, (_, index) => ({ role: 'gateway' as const, name: `gateway-${index + 1}` })),
    ...Array.from({ length: workers }, (_, index) => ({ role: 'worker' as const, name: `worker-${index + 1}` })),
  ]
  const nodes = await Promise.all(names.map((name) => prepareNode({ ...name, folder, config })))
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()))
    await servers.close()
  }
  try {
    // Concurrent starts would only compete for the processors.
    // oxlint-disable-next-line no-await-in-loop
    for (const node of nodes) await node.start()
    return { nodes, nats: servers, runs, waits, close }
  } catch (error) {
    await close()
    throw error
  }
}

function hashOf(key: string): string {
  return `sha256:${hash('sha256', key, 'hex')}`
}
