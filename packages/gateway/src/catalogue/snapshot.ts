import type { Link, ListKind, ServerInfo } from '@junctor/exchange'
import type { Payload } from '@junctor/jsonrpc'

/** The kinds in the order in which they are asked for. */
export const listKinds: readonly ListKind[] = ['tools', 'resources', 'resourceTemplates', 'prompts']

/** Everything that one backend offers to one scope, at one time. */
export interface Snapshot {
  /** Never given twice in one process: two views of the same snapshots are the same view. */
  readonly id: number
  readonly server: ServerInfo
  readonly lists: Readonly<Record<ListKind, readonly Payload[]>>
  /** Epoch milliseconds. */
  readonly takenAt: number
}

/** Asks a link for all its lists at once. Rejects when one of them fails. */
export async function takeSnapshot(link: Link, id: number, takenAt: number, signal: AbortSignal): Promise<Snapshot> {
  const [tools = [], resources = [], resourceTemplates = [], prompts = []] = await Promise.all(
    listKinds.map((kind) => link.list(kind, signal)),
  )
  return { id, server: link.server, lists: { tools, resources, resourceTemplates, prompts }, takenAt }
}
