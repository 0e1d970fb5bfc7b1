import { startNatsServer } from '@junctor/testkit'
import { freePort } from '../../client/free-port.ts'

/** Servers that can be killed and started again, each with its monitoring. */
export interface NatsServers {
  readonly urls: readonly string[]
  /** Of their monitoring ports, without a slash at the end. */
  readonly monitors: readonly string[]
  kill(index: number): Promise<void>
  restart(index: number): Promise<void>
  close(): Promise<void>
}

/** One server, or a cluster of three. */
export async function startNatsServers(count: number): Promise<NatsServers> {
  if (count !== 1) throw new RangeError(`Expected 1 NATS server, got ${count}`)
  const port = await freePort()
  const server = await startNatsServer({ args: ['-m', String(port)] })
  return {
    urls: [server.url],
    monitors: [`http://127.0.0.1:${port}`],
    kill: () => server.kill(),
    restart: () => server.restart(),
    close: () => server.stop(),
  }
}
