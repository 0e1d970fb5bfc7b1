import { freePort } from './free-port.ts'
import { type NatsServer, type NatsServerOptions, startNatsServer } from './start-nats-server.ts'

/** The options of one server; `args` are passed to each server. */
export type NatsClusterOptions = Pick<NatsServerOptions, 'args'>

/** Real nats-servers on the loopback interface that form one cluster, each with its storage in its own folder. */
export interface NatsCluster {
  /** Each can be killed and started again independently. */
  readonly servers: readonly NatsServer[]
  readonly urls: readonly string[]
  /**
   * Resolves when each of these servers (default: all) is healthy: storage has leaders, and the server has caught up.
   */
  well(servers?: readonly NatsServer[]): Promise<void>
  /** Ends all servers and cleans up. Idempotent. */
  stop(): Promise<void>
}

/** Starts `size` nats-servers as a cluster, and waits until their storage can be used through each. */
export async function startNatsCluster(size: number, { args = [] }: NatsClusterOptions = {}): Promise<NatsCluster> {
  const ports = await Promise.all(Array.from({ length: size }, freePort))
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`)
  const started = await Promise.allSettled(
    routes.map((route, n) => {
      const own = ['-n', `server-${n}`, '--cluster_name', 'tests', '--cluster', route, '--routes', routes.join(',')]
      return startNatsServer({ args: [...own, ...args] })
    }),
  )
  const servers = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const cluster: NatsCluster = {
    servers,
    urls: servers.map(({ url }) => url),
    async well(wanted = servers) {
      await Promise.all(wanted.map((server) => server.well()))
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()))
    },
  }
  try {
    for (const result of started) if (result.status === 'rejected') throw result.reason
    await cluster.well()
    return cluster
  } catch (error) {
    await cluster.stop()
    throw error
  }
}
