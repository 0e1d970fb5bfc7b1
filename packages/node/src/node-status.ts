import type { Config, Problem } from '@junctor/config'
import type { FileReading } from '@junctor/telemetry'
import type { Redact } from '@junctor/primitives'
import type { Gateway } from '@junctor/gateway'
import { placesOf } from './cluster/backend-places.ts'
import type { KnownNode } from './cluster/node-table.ts'
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
  /** Where what happened is written down, if anywhere, and why that cannot be done now. */
  readonly files: readonly {
    readonly name: string
    readonly file: string
    readonly problem?: string
    readonly lost: number
  }[]
  readonly backends: readonly {
    readonly name: string
    readonly state: 'starting' | 'up' | 'down' | 'crash_looping'
    readonly tools: number
    readonly links: number
    readonly inFlight: number
    readonly error?: string
    /** What it lists that clients are not shown, or not as it came. */
    readonly warnings: readonly string[]
    /** The nodes that hold its links. */
    readonly nodes: readonly string[]
  }[]
  /** Every node of the fabric: this one first, then gateways, then workers, each by name. */
  readonly nodes: readonly NodeLine[]
}

/** A node, as it announced itself. */
interface NodeLine {
  readonly node: string
  /** The one that answers. */
  readonly self: boolean
  /** `unknown`: it has not said what it is yet; the members below are empty then. */
  readonly role: 'gateway' | 'worker' | 'unknown'
  readonly name: string
  readonly version: string
  /** ISO 8601. */
  readonly startedAt: string
  /** How far its clock is ahead of that of the node that answers, in milliseconds; below zero: behind. */
  readonly clockAheadMs?: number
  /** Of gateways: the same where the same callers may do the same. */
  readonly policy?: string
  /** Those whose links it holds. */
  readonly backends: readonly { readonly name: string; readonly state: string; readonly tools: number }[]
}

export interface NodeStatusParts {
  readonly node: string
  readonly startedAt: number
  readonly now: number
  readonly config: Config
  readonly gateway: Pick<Gateway, 'status' | 'readings'>
  readonly reload: ReloadState
  readonly nodes: readonly KnownNode[]
  /** How the files do that the node writes. */
  readonly files: readonly FileReading[]
  /** Takes secrets out of what backends said. */
  readonly redact: Redact
  readonly clocksAheadMs: Readonly<Record<string, number>>
}

/** Asks backends that have not been asked. */
export async function nodeStatus(parts: NodeStatusParts): Promise<NodeStatus> {
  const { node, startedAt, now, config, gateway, reload, nodes, redact, files, clocksAheadMs } = parts
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
    files: files.map(({ problem, ...file }) => ({ ...file, ...(problem !== undefined && { problem }) })),
    backends: backends.map(({ name, state, tools, links, inFlight, ...reading }) => {
      // What a backend that is up does not list is nothing that its links know.
      const status = known.get(name)
      const error = status?.error ?? reading.error
      return {
        name,
        state,
        tools: status?.tools.length ?? tools,
        links,
        inFlight,
        ...(error !== undefined && { error: redact(error.message) }),
        warnings: status?.warnings ?? [],
        nodes: placesOf(name, nodes),
      }
    }),
    nodes: nodes.map((one) => nodeLine(one, node, clocksAheadMs[one.node])),
  }
}

function nodeLine({ node, about }: KnownNode, self: string, clockAheadMs: number | undefined): NodeLine {
  const { role = 'unknown', name = '', version = '', startedAt = '', backends = {} } = about ?? {}
  const held = Object.entries(backends).map(([backend, { state, tools }]) => ({ name: backend, state, tools }))
  return {
    node,
    self: node === self,
    role,
    name,
    version,
    startedAt,
    ...(clockAheadMs !== undefined && { clockAheadMs }),
    ...(about?.policy !== undefined && { policy: about.policy }),
    backends: held,
  }
}
