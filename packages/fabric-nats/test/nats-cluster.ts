import { type Fabric, type Log, silentLog, type UnreadableReporter } from '@junctor/contracts'
import { connectNats } from '@junctor/nats'
import type { NatsServer } from '@junctor/testkit'
import type { NatsConnection } from '@nats-io/transport-node'
import { createNatsFabric } from '../src/nats-fabric.ts'

/** The key of all nodes that a test does not give others. Long enough for a cluster key. */
export const clusterKey = 'a secret of the test cluster, which is long'

/** A node of the cluster, and the connection to NATS that {@link leaveCluster} closes with it. */
export interface TestNode {
  readonly fabric: Fabric
  readonly connection: NatsConnection
}

interface NodeOptions {
  readonly cluster: string
  readonly node?: string
  /** Default: {@link clusterKey}. */
  readonly keys?: readonly string[]
  readonly replicas?: number
  readonly log?: Log
  readonly unreadable?: UnreadableReporter
  /** Returns epoch milliseconds. Default: the system's clock. */
  readonly now?: () => number
  /** The NATS user of the node. */
  readonly credentials?: { readonly user: string; readonly password: string }
}

/** Joins a cluster with its own connection. */
export async function joinCluster(
  { url }: Pick<NatsServer, 'url'>,
  { credentials, ...options }: NodeOptions,
): Promise<TestNode> {
  const connection = await connectNats({ servers: [url], ...credentials }, silentLog)
  try {
    return {
      connection,
      fabric: await createNatsFabric({ connection, keys: [clusterKey], log: silentLog, ...options }),
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Resolves when each of these nodes sees all others. */
export async function acquainted(nodes: readonly TestNode[]): Promise<void> {
  for (const { fabric } of nodes) {
    const unseen = new Set(nodes.map((other) => other.fabric.node))
    for await (const { node } of fabric.nodes(AbortSignal.timeout(10_000))) {
      unseen.delete(node)
      if (unseen.size === 0) break
    }
    if (unseen.size > 0) throw new Error(`${fabric.node} does not see ${[...unseen].join()}`)
  }
}

/** Leaves the cluster, and closes the connection. */
export async function leaveCluster({ fabric, connection }: TestNode): Promise<void> {
  await fabric.close()
  await connection.close()
}
