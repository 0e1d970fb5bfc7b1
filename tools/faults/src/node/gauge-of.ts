import type { GatewayProcess } from '../client/gateway-process.ts'

/** All metrics of a gateway, as its admin port prints them. */
export async function metricsOf({ admin }: Pick<GatewayProcess, 'admin'>): Promise<string> {
  return (await fetch(`${admin}/metrics`)).text()
}

/** The value of a metric without labels. */
export async function gaugeOf(gateway: Pick<GatewayProcess, 'admin'>, name: string): Promise<number> {
  const line = (await metricsOf(gateway)).split('\n').find((candidate) => candidate.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}
