import type { Config } from '@junctor/config'
import type { GatewayGauges, NodeAbout } from '@junctor/gateway'
import { release } from '../release.ts'

/** What a node tells the others about itself. */
export interface OwnAboutParts {
  readonly role: NodeAbout['role']
  readonly server: Config['server']
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Only for a gateway. */
  readonly policy?: string
  /** The backends whose links this node opens itself. */
  readonly backends: NodeAbout['backends']
}

/** Creates the announcement of a node. */
export function aboutNode({ role, server, startedAt, policy, backends }: OwnAboutParts): NodeAbout {
  return {
    role,
    name: server.name,
    version: server.version,
    release,
    startedAt: new Date(startedAt).toISOString(),
    ...(policy !== undefined && { policy }),
    backends,
  }
}

/** Returns the backends of a gateway whose links it opens itself. */
export function ownBackends({ backends }: GatewayGauges, config: Config): NodeAbout['backends'] {
  const own = new Set(config.backends.flatMap(({ name, runsOn }) => (runsOn === 'gateways' ? [name] : [])))
  const held = backends.filter(({ name }) => own.has(name))
  return Object.fromEntries(held.map(({ name, state, tools }) => [name, { state, tools }]))
}
