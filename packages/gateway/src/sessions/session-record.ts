import type { CallContext } from '@junctor/exchange'
import type { JsonObject } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { Extensions, Revision } from '@junctor/protocol'
import { isRevision, knownExtensions, noExtensions } from '@junctor/protocol'

/** The part of a session that every node can read: enough to serve it through its home node. */
export type SessionRecord = {
  /** The home node of the session. */
  readonly home: string
  /** How often a hand-over of it was tried. Of two records, the one with more moves is the later. */
  readonly moves: number
  readonly tenant: string
  /** The key of the principal that opened it; no other principal may use it. */
  readonly principal: string
  readonly revision: Revision
  readonly info: JsonObject
  readonly capabilities: JsonObject
  /** The extensions of JSON-RPC 3.0 that it uses; none when the record does not name any. */
  readonly extensions: Extensions
}

/**
 * The record of a session that was reported as gone to clients while its home node may not know. It is written instead
 * of deleting the record, because a write can be conditional on the revision that was read.
 */
export type EndedRecord = { readonly ended: true }

export const endedRecord: EndedRecord = { ended: true }

/** Whether a stored value says that its session has ended. */
export function isEndedRecord(value: unknown): value is EndedRecord {
  return isJsonObject(value) && value['ended'] === true
}

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

/** Reads a record that another node wrote, perhaps one of another version. `undefined`: it is not a valid record. */
export function readSessionRecord(value: unknown): SessionRecord | undefined {
  if (!isJsonObject(value)) return undefined
  const { home, moves, tenant, principal, revision, info, capabilities, extensions } = value
  if (typeof home !== 'string' || typeof tenant !== 'string' || typeof principal !== 'string') return undefined
  if (typeof moves !== 'number' || !isRevision(revision) || !isJsonObject(info) || !isJsonObject(capabilities))
    return undefined
  return { home, moves, tenant, principal, revision, info, capabilities, extensions: knownExtensions(extensions) }
}
