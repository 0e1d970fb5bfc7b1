import { fileURLToPath } from 'node:url'
import { startNatsCluster, startNatsServer } from '@junctor/testkit'
import { natsVersion } from './nats-lack.ts'

const durable = fileURLToPath(new URL('../../../../../deploy/nats/durable.conf', import.meta.url))

/** Servers that can be killed and restarted, each with its monitoring. */
export interface NatsServers {
  readonly urls: readonly string[]
  /** The monitoring URLs of the current processes, for example for `<monitor>/connz`. */
  monitors(): readonly string[]
  kill(index: number): Promise<void>
  /** Resolves when the server is healthy again. */
  restart(index: number): Promise<void>
  close(): Promise<void>
}

interface NatsServersOptions {
  /** Uses `deploy/nats/durable.conf` if the server supports its settings: 2.10 or newer. Default: false. */
  readonly isDurable?: boolean
}

/** One server, or a cluster. */
export async function startNatsServers(
  count: number,
  { isDurable = false }: NatsServersOptions = {},
): Promise<NatsServers> {
  const args = isDurable && (await knowsDurable()) ? ['-c', durable] : []
  const cluster = count === 1 ? await startOne(args) : await startNatsCluster(count, { args })
  const { servers } = cluster
  const at = (index: number) => {
    const server = servers[index]
    if (server === undefined) throw new RangeError(`Expected a NATS server number ${index}`)
    return server
  }
  return {
    urls: servers.map(({ url }) => url),
    monitors: () => servers.map(({ monitor }) => monitor),
    kill: (index) => at(index).kill(),
    async restart(index) {
      await at(index).restart()
      await at(index).well()
    },
    close: () => cluster.stop(),
  }
}

async function startOne(args: readonly string[]) {
  const server = await startNatsServer({ args })
  return { servers: [server], stop: () => server.stop() }
}

async function knowsDurable(): Promise<boolean> {
  const [, minor] = (await natsVersion()).split('.')
  return Number(minor) >= 10
}
