import { readData, type UnreadableData } from '@junctor/contracts'
import { type Dialect, type JsonObject, memberOf } from '@junctor/jsonrpc'
import { type Extensions, knownExtensions, noExtensions, type Revision } from '@junctor/protocol'
import { z } from 'zod'
import { jsonObjectSchema, revisionSchema } from '../../shared/schemas.ts'
import type { HomeSession } from '../session/home-session.ts'

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
  /** The JSON-RPC version of its client's last message when the record was written. */
  readonly dialect: Dialect
}

/**
 * The record of a session that was reported as gone to clients while its home node may not know. It is written instead
 * of deleting the record, because a write can be conditional on the revision that was read.
 */
export type EndedRecord = { readonly ended: true }

/** The record of a session that has ended. */
export const endedRecord: EndedRecord = { ended: true }

/** The record of a session at its home. */
export function toSessionRecord(
  home: string,
  { context, dialect }: Pick<HomeSession, 'context' | 'dialect'>,
  moves: number,
): SessionRecord {
  return {
    home,
    moves,
    tenant: context.tenant,
    principal: context.principal.key,
    revision: context.revision,
    info: context.client.info,
    capabilities: context.client.capabilities,
    extensions: context.extensions ?? noExtensions,
    dialect,
  }
}

/** What is stored of a session. */
export type StoredSession =
  | { readonly kind: 'record'; readonly record: SessionRecord }
  | { readonly kind: 'ended' }
  | UnreadableData

/** Members that this version does not know are kept, because a node that changes a record writes it back. */
const schema: z.ZodType<SessionRecord> = z.looseObject({
  home: z.string(),
  moves: z.number(),
  tenant: z.string(),
  principal: z.string(),
  revision: revisionSchema,
  info: jsonObjectSchema,
  capabilities: jsonObjectSchema,
  extensions: z.array(z.string()).default([]).transform(knownExtensions),
  dialect: z.enum(['2.0', '3.0']).default('2.0'),
})

/** Reads what another node, perhaps one of another version, has stored of a session. */
export function readStoredSession(value: unknown): StoredSession {
  if (memberOf(value, 'ended') === true) return { kind: 'ended' }
  const read = readData(schema, value)
  return read.kind === 'read' ? { kind: 'record', record: read.value } : read
}
