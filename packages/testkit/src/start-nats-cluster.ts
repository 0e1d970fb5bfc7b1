import { freePort } from './free-port.ts'
import { type NatsServer, type NatsServerOptions, startNatsServer } from './start-nats-server.ts'

/** As for one server; `args` go to each. */
export type NatsClusterOptions = Pick<NatsServerOptions, 'args'>

/** Real nats-servers on the loopback interface which are one system, each with its storage in a folder of its own. */
export interface NatsCluster {
  /** Each can be killed and started again by itself. */
  readonly servers: readonly NatsServer[]
  readonly urls: readonly string[]
  /** Resolves when each of them, or of these, is well: storage has leaders, and they have caught up with it. */
  well(servers?: readonly NatsServer[]): Promise<void>
  /** Ends all and clears up. Idempotent. */
  stop(): Promise<void>
}

/** Starts so many nats-servers that know each other, and waits until their storage can be used through each. */
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
