import type { Config } from '@junctor/config'
import type { GatewayReadings, NodeAbout } from '@junctor/gateway'

export interface OwnAboutParts {
  readonly server: Config['server']
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Every backend that this node serves to clients. */
  readonly backends: GatewayReadings['backends']
}

/** What a gateway announces of itself. */
export function gatewayAbout({ server, startedAt, backends }: OwnAboutParts): NodeAbout {
  return {
    role: 'gateway',
    name: server.name,
    version: server.version,
    startedAt: new Date(startedAt).toISOString(),
    backends: Object.fromEntries(backends.map(({ name, state, tools }) => [name, { state, tools }])),
  }
}
