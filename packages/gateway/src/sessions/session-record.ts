import type { CallContext } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { Extensions, Revision } from '@junctor/protocol'
import { isRevision, knownExtensions, noExtensions } from '@junctor/protocol'

/** What every node can read of a session: enough to serve it by its home. */
export type SessionRecord = {
  /** The node where it is at home. */
  readonly home: string
  /** How often it was handed on, or tried to be: of two records, the one with more is the later. */
  readonly moves: number
  readonly tenant: string
  /** The key of the principal that opened it; nobody else may use it. */
  readonly principal: string
  readonly revision: Revision
  readonly info: JsonObject
  readonly capabilities: JsonObject
  /** The extensions of JSON-RPC 3.0 that it uses; none where the record does not say. */
  readonly extensions: Extensions
}

/**
 * What stands for a session that clients were told is gone, while its home may not know: it is written, and not deleted,
 * so that it can be written under the condition that nobody has written since.
 */
export type EndedRecord = { readonly ended: true }

export const endedRecord: EndedRecord = { ended: true }

export function toSessionRecord(home: string, context: CallContext, moves: number): SessionRecord {
  return {
    home,
    moves,
    tenant: context.tenant,
    principal: context.principal.key,
    revision: context.revision,
    info: context.client.info,
    capabilities: context.client.capabilities,
    extensions: context.extensions ?? noExtensions,
  }
}

/** Reads a record that another node, perhaps of another version, has written; `undefined` when it is not one. */
export function readSessionRecord(value: unknown): SessionRecord | undefined {
  if (!isJsonObject(value)) return undefined
  const { home, moves, tenant, principal, revision, info, capabilities, extensions } = value
  if (typeof home !== 'string' || typeof tenant !== 'string' || typeof principal !== 'string') return undefined
  if (typeof moves !== 'number' || !isRevision(revision) || !isJsonObject(info) || !isJsonObject(capabilities))
    return undefined
  return { home, moves, tenant, principal, revision, info, capabilities, extensions: knownExtensions(extensions) }
}
