import type { Config, Problem } from '@junctor/config'
import type { Gateway } from '@junctor/gateway'
import type { ReloadState } from './reload.ts'

/** How a node does, as the admin port tells it. Names and numbers, never a secret. */
export interface NodeStatus {
  readonly node: string
  /** What `initialize` answers as `serverInfo`. */
  readonly name: string
  readonly version: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly uptimeMs: number
  readonly reload: {
    readonly result: ReloadState['result']
    /** ISO 8601. */
    readonly at?: string
    readonly problems: readonly Problem[]
  }
  /** Sessions at home here, by transport. */
  readonly sessions: Readonly<Record<string, number>>
  readonly tenants: readonly string[]
  readonly backends: readonly {
    readonly name: string
    readonly state: 'starting' | 'up' | 'down' | 'crash_looping'
    readonly tools: number
    readonly links: number
    readonly inFlight: number
    readonly error?: string
  }[]
}

export interface NodeStatusParts {
  readonly node: string
  readonly startedAt: number
  readonly now: number
  readonly config: Config
  readonly gateway: Pick<Gateway, 'status' | 'readings'>
  readonly reload: ReloadState
}

/** Asks backends that have not been asked. */
export async function nodeStatus(parts: NodeStatusParts): Promise<NodeStatus> {
  const { node, startedAt, now, config, gateway, reload } = parts
  const known = new Map((await gateway.status()).map((status) => [status.name, status]))
  const { sessions, backends } = gateway.readings()
  return {
    node,
    name: config.server.name,
    version: config.server.version,
    startedAt: new Date(startedAt).toISOString(),
    uptimeMs: now - startedAt,
    reload: {
      result: reload.result,
      ...(reload.at !== undefined && { at: new Date(reload.at).toISOString() }),
      problems: reload.problems,
    },
    sessions,
    tenants: config.tenants.map(({ name }) => name),
    backends: backends.map(({ name, state, links, inFlight, error }) => ({
      name,
      state,
      tools: known.get(name)?.tools.length ?? 0,
      links,
      inFlight,
      ...(error !== undefined && { error: error.message }),
    })),
  }
}
