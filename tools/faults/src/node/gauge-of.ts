import type { GatewayProcess } from '../client/gateway-process.ts'

/** Everything that a gateway counts, as its admin port prints it. */
export async function metricsOf({ admin }: Pick<GatewayProcess, 'admin'>): Promise<string> {
  return (await fetch(`${admin}/metrics`)).text()
}

/** The value of a metric that has no labels. */
export async function gaugeOf(gateway: Pick<GatewayProcess, 'admin'>, name: string): Promise<number> {
  const line = (await metricsOf(gateway)).split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}
