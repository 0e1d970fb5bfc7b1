import type { Config, Problem } from '@junctor/config'
import type { FileGauges } from '@junctor/telemetry'
import type { Redact } from '@junctor/primitives'
import type { Gateway } from '@junctor/gateway'
import type { KnownNode } from '../cluster/known-nodes.ts'
import type { ReloadState } from '../reload/reload.ts'
import { release } from '../release.ts'

/** The status of a node, as the admin port returns it. Names and numbers, never a secret. */
export interface NodeStatus {
  readonly node: string
  /** The `serverInfo` of the `initialize` result. */
  readonly name: string
  readonly version: string
  /** The version of Junctor. */
  readonly release: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly uptimeMs: number
  readonly reload: {
    readonly result: ReloadState['result']
    /** ISO 8601. */
    readonly at?: string
    readonly problems: readonly Problem[]
  }
  /** Sessions whose home node is this one, by transport. */
  readonly sessions: Readonly<Record<string, number>>
  readonly tenants: readonly string[]
  /** The files that events and audit are written to, and the current problem with writing, if any. */
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
    /** Listed items that clients do not see, or see changed. */
    readonly warnings: readonly string[]
    /** The nodes that hold its links. */
    readonly nodes: readonly string[]
  }[]
  /** Every node of the fabric: this one first, then gateways, then workers, each by name. */
  readonly nodes: readonly NodeLine[]
}

/** A node, according to its announcement. */
interface NodeLine {
  readonly node: string
  /** Whether this is the node that answers. */
  readonly self: boolean
  /** `unknown`: it has not announced anything yet; the members below are empty then. */
  readonly role: 'gateway' | 'worker' | 'unknown'
  readonly name: string
  readonly version: string
  /** The version of Junctor that it runs. Absent: it is older than this member. */
  readonly release?: string
  /** ISO 8601. */
  readonly startedAt: string
  /** How far its clock is ahead of the clock of the answering node, in milliseconds. Negative: behind. */
  readonly clockAheadMs?: number
  /** Only for gateways: equal for gateways that give the same permissions. */
  readonly policy?: string
  /** The backends whose links it holds. */
  readonly backends: readonly { readonly name: string; readonly state: string; readonly tools: number }[]
}

/**
 * The facts that a status is made of. `startedAt` and `now` are epoch milliseconds; `clocksAheadMs` is by the name of
 * the node.
 */
export interface NodeStatusParts {
  readonly node: string
  readonly startedAt: number
  readonly now: number
  readonly config: Config
  readonly gateway: Pick<Gateway, 'status' | 'gauges'>
  readonly reload: ReloadState
  readonly nodes: readonly KnownNode[]
  /** The state of the files that the node writes. */
  readonly files: readonly FileGauges[]
  /** Removes secrets from the errors of backends. */
  readonly redact: Redact
  readonly clocksAheadMs: Readonly<Record<string, number>>
}

/** The longest wait for a backend, in milliseconds: who asks for the status wants to know which one does not answer. */
const answerWaitMs = 5_000

/** Creates the status. Backends that were not asked before are asked. */
export async function nodeStatus(parts: NodeStatusParts): Promise<NodeStatus> {
  const { node, startedAt, now, config, gateway, reload, nodes, redact, files, clocksAheadMs } = parts
  const known = new Map((await gateway.status(answerWaitMs)).map((status) => [status.name, status]))
  const { sessions, backends } = gateway.gauges()
  return {
    node,
    name: config.server.name,
    version: config.server.version,
    release,
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
    backends: backends.map(({ name, state, tools, links, inFlight, ...gauges }) => {
      // A backend that is up may still fail to list; only its status has that error.
      const status = known.get(name)
      const error = status?.error ?? gauges.error
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
    ...(about?.release !== undefined && { release: about.release }),
    startedAt,
    ...(clockAheadMs !== undefined && { clockAheadMs }),
    ...(about?.policy !== undefined && { policy: about.policy }),
    backends: held,
  }
}

/** Returns the names of the nodes that hold a backend's links, in any state. */
function placesOf(backend: string, nodes: readonly KnownNode[]): readonly string[] {
  return nodes.flatMap(({ node, about }) =>
    about !== undefined && Object.hasOwn(about.backends, backend) ? [node] : [],
  )
}
