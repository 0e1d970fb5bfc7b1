import { startNatsCluster, startNatsServer } from '@junctor/testkit'

/** Servers that can be killed and started again, each with its monitoring. */
export interface NatsServers {
  readonly urls: readonly string[]
  /** Of their monitoring, as in `<monitor>/connz`, of the processes that run now. */
  monitors(): readonly string[]
  kill(index: number): Promise<void>
  /** Resolves when it is well again. */
  restart(index: number): Promise<void>
  close(): Promise<void>
}

/** One server, or a cluster. */
export async function startNatsServers(count: number): Promise<NatsServers> {
  const cluster = count === 1 ? await startOne() : await startNatsCluster(count)
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

async function startOne() {
  const server = await startNatsServer()
  return { servers: [server], stop: () => server.stop() }
}
