import {
  type CacheHints,
  type DataSchema,
  type ListKind,
  readData,
  type Scope,
  type ServerInfo,
} from '@junctor/contracts'
import type { NotificationBody } from '@junctor/exchange'
import { type JsonObject, memberOf, type Payload, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import * as z from 'zod'
import { jsonObjectSchema, revisionSchema } from '../../shared/schemas.ts'

/*
 * How a node uses a link that another node has open:
 *
 * - `open` goes to the name of the backend, so any host may answer. The exchange lasts as long as the link, and is the
 *   link's client: it carries the link's messages and questions outside of requests. Its chunks are `Opened`, once, and
 *   `leaving`; its result says how the link ended, or failed to open. When the exchange is ended by the other side, the
 *   link is closed.
 * - Requests go unchanged to the link's own service.
 * - The other `linkMethods` go to a separate service, so that no client can call them.
 */

/**
 * What nodes request of each other's links. `leave`: no more requests; the link closes when the running ones have
 * ended.
 */
export const linkMethods = {
  open: 'open',
  list: 'list',
  notify: 'notify',
  present: 'present',
  leave: 'leave',
  close: 'close',
} as const

/** A link that has opened on a node. */
export interface Opened {
  readonly link: string
  readonly node: string
  readonly server: ServerInfo
}

/** The params of `open`. */
export function printScope({ tenant, principal, session, capabilities, key, era, callerToken }: Scope): JsonObject {
  return {
    tenant,
    ...(principal !== undefined && { principal }),
    ...(session !== undefined && { session }),
    capabilities,
    key,
    ...(era !== undefined && { era }),
    ...(callerToken !== undefined && { callerToken }),
  }
}

/** The params of `open`. */
export const scopeSchema: DataSchema<Scope> = z
  .object({
    tenant: z.string(),
    principal: z.string().optional(),
    session: z.string().optional(),
    capabilities: jsonObjectSchema,
    key: z.string(),
    era: z.enum(['handshake', 'modern']).exactOptional(),
    callerToken: z.string().exactOptional(),
  })
  .transform(({ principal, session, ...scope }): Scope => ({ ...scope, principal, session }))

/** The chunk that says that the link is open. */
export function printOpened({ link, node, server }: Opened): JsonObject {
  const { revision, capabilities, info, instructions } = server
  return {
    link,
    node,
    server: { revision, capabilities, info, ...(instructions !== undefined && { instructions }) },
  }
}

const openedSchema = z.object({
  link: z.string(),
  node: z.string(),
  server: z
    .object({
      revision: revisionSchema,
      capabilities: jsonObjectSchema,
      info: jsonObjectSchema,
      instructions: z.string().optional(),
    })
    .transform(({ instructions, ...server }): ServerInfo => ({ ...server, instructions })),
})

/** @throws JunctorError `PROTOCOL_VIOLATED`; its message contains no value of the data, which may name a client */
export function readOpened(data: unknown): Opened {
  const read = readData(openedSchema, data)
  if (read.kind === 'read') return read.value
  throw new JunctorError('PROTOCOL_VIOLATED', `expected an open link from another node: ${read.problem}`)
}

/** The chunk for a node that is about to leave: running calls continue, new ones go elsewhere. */
export const leaving: JsonObject = { leaving: true }

/** Whether a chunk says that the node leaves. */
export function isLeaving(data: unknown): boolean {
  return memberOf(data, 'leaving') === true
}

/** Prints the end of a link, with the message of its error. `undefined`: it closed normally. */
export function printLinkEnd(error: string | undefined): Payload {
  return payloadOf(error === undefined ? {} : { error })
}

/** Reads the end of a link of another node: the message of its error. `undefined`: it closed normally. */
export function readLinkEnd(result: Payload): string | undefined {
  const error = memberOf(result.value(), 'error')
  return typeof error === 'string' ? error : undefined
}

/** The params of `list`: the kind. */
export const listKindSchema: DataSchema<ListKind> = z.enum(['tools', 'resources', 'resourceTemplates', 'prompts'])

/** What a link says of a list that it has just given: a chunk before the list, if there is anything to say. */
export interface ListNotes {
  readonly hints?: CacheHints
  readonly problem?: string
}

/** The chunk before a list: its notes. `ttlMs` is in milliseconds. */
export const listNotesSchema: DataSchema<ListNotes> = z.object({
  hints: z.object({ ttlMs: z.number(), scope: z.enum(['public', 'private']) }).exactOptional(),
  problem: z.string().exactOptional(),
})

/** The params of `present`: the sealed token. */
export const presentSchema: DataSchema<string> = z.string()

/** A list as one payload, with the exact text of each item. */
export function printItems(list: readonly Payload[]): Payload {
  return payloadFromText(`[${list.map(printPayload).join(',')}]`)
}

/** The params of `notify`: the method, and the exact text of the params if there are any. */
export function printLinkNotification({ method, params }: NotificationBody): Payload {
  return printItems(params === undefined ? [payloadOf(method)] : [payloadOf(method), params])
}

/** The method in the params of `notify`. The params of the notification are the second item, read as text. */
export const notifySchema: DataSchema<string> = z
  .tuple([z.string()])
  .rest(z.unknown())
  .transform(([method]) => method)
