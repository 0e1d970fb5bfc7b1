import { type NodeChange, type ReadData, readData } from '@junctor/contracts'
import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { z } from 'zod'

/** What a node announces to the others (`Fabric.announce`). */
export interface NodeAbout {
  /** Gateways accept clients; workers only host backends. */
  readonly role: 'gateway' | 'worker'
  /** Its name for people, from its configuration. */
  readonly name: string
  readonly version: string
  /** The version of Junctor that it runs. Older ones do not announce it. */
  readonly release?: string
  /** ISO 8601. */
  readonly startedAt: string
  /** Equal on gateways with the same access rules. */
  readonly policy?: string
  /** The backends whose links this node opens itself, by name. */
  readonly backends: Readonly<Record<string, BackendAbout>>
}

/** A backend as its host reports it. */
export interface BackendAbout {
  /** The state of the backend; other versions may use other words. */
  readonly state: string
  /** How many tools it lists; 0: they were not read yet. */
  readonly tools: number
}

/** Writes the announcement of a node. */
export function printNodeAbout({ role, name, version, release, startedAt, policy, backends }: NodeAbout): JsonObject {
  const printed = Object.entries(backends).map(([backend, { state, tools }]) => [backend, { state, tools }])
  return {
    role,
    name,
    version,
    ...(release !== undefined && { release }),
    startedAt,
    ...(policy !== undefined && { policy }),
    backends: Object.fromEntries(printed),
  }
}

/** The announcement of a node, as this version reads it. */
export type ReadNodeAbout =
  | ReadData<NodeAbout>
  /** The node has announced nothing yet. */
  | { readonly kind: 'nothing' }

const text = z.string().default('')

const schema: z.ZodType<NodeAbout> = z.object({
  role: z.enum(['gateway', 'worker']),
  name: text,
  version: text,
  release: z.string().exactOptional(),
  startedAt: text,
  policy: z.string().exactOptional(),
  backends: z.record(z.string(), z.object({ state: text, tools: z.int().default(0) })).default({}),
})

/** Reads the announcement of a node, perhaps one of another version. A member that is missing is empty. */
export function readNodeAbout(about: JsonObject): ReadNodeAbout {
  return isJsonObject(about) && Object.keys(about).length === 0 ? { kind: 'nothing' } : readData(schema, about)
}

/** The announcement in a change of the nodes. `undefined`: the node has left, or has announced nothing readable. */
export function aboutIn(change: NodeChange): NodeAbout | undefined {
  const read = change.kind === 'left' ? undefined : readNodeAbout(change.about)
  return read?.kind === 'read' ? read.value : undefined
}
