import type { GatewayProcess } from '../client/gateway-process.ts'

/** What a gateway holds at a quiet moment. */
export interface Sample {
  /** Since the beginning, in seconds. */
  readonly second: number
  /** Bytes of live objects. */
  readonly heap: number
  /** Resident memory in bytes. */
  readonly rss: number
  readonly descriptors: number
  /** Its descendants, including the guard of its children. */
  readonly processes: number
  /** Timers that keep the process alive. */
  readonly timers: number
  /** The sessions in its metrics. */
  readonly sessions: number
}

/** Takes a sample, after garbage collection in the gateway. */
export async function takeSample(gateway: GatewayProcess, second: number): Promise<Sample> {
  const { inspector } = gateway
  const heap = await inspector.heap()
  const timers = await inspector.evaluate<number>(
    "process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length",
  )
  return {
    second,
    heap,
    rss: gateway.rss(),
    descriptors: gateway.descriptors(),
    processes: gateway.descendants().length,
    timers,
    sessions: await sessionsOf(gateway),
  }
}

/** The number of sessions in a gateway's metrics. */
export async function sessionsOf({ admin }: Pick<GatewayProcess, 'admin'>): Promise<number> {
  const response = await fetch(`${admin}/metrics`)
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('mcp_sessions_active{'))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}
