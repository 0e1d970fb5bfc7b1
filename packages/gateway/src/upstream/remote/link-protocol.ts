import type { ListKind, Scope, ServerInfo } from '@junctor/contracts'
import type { NotificationBody } from '@junctor/exchange'
import type { JsonObject, JsonValue, Payload } from '@junctor/jsonrpc'
import { isJsonObject, items, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { isRevision, JunctorError } from '@junctor/protocol'

/*
 * How a node uses a link that another node has open:
 *
 * - `open` goes to the name of the backend, so any host may answer. The exchange lasts as long as the link, and is the
 *   link's   client: it carries the link's messages and questions outside of requests. Its chunks are `Opened`, once,
 *   and `Leaving`;   its result is `LinkEnd`. When the exchange is ended by the other side, the link is closed.
 * - Requests go unchanged to the link's own service.
 * - The other `linkMethods` go to a separate service, so that no client can call them.
 */

/**
 * What nodes request of each other's links. `leave`: no more requests; the link closes when the running ones have
 * ended.
 */
export const linkMethods = { open: 'open', list: 'list', notify: 'notify', leave: 'leave', close: 'close' } as const

/** A link that has opened on a node. */
export interface Opened {
  readonly link: string
  readonly node: string
  readonly server: ServerInfo
}

/** How a link ended, or failed to open. `error` is undefined: it closed normally. */
export interface LinkEnd {
  readonly error: string | undefined
}

/** The params of `open`. */
export function printScope({ tenant, principal, session, capabilities, key }: Scope): JsonObject {
  return {
    tenant,
    ...(principal !== undefined && { principal }),
    ...(session !== undefined && { session }),
    capabilities,
    key,
  }
}

/** @throws JunctorError `PROTOCOL_VIOLATED` */
export function readScope(params: Payload | undefined): Scope {
  const scope = params?.value()
  if (!isJsonObject(scope)) throw violated('a scope', scope)
  const { tenant, principal, session, capabilities, key } = scope
  if (typeof tenant !== 'string' || typeof key !== 'string' || !isJsonObject(capabilities)) {
    throw violated('a scope', scope)
  }
  return { tenant, principal: textOf(principal), session: textOf(session), capabilities, key }
}

export function printOpened({ link, node, server }: Opened): JsonObject {
  const { revision, capabilities, info, instructions } = server
  return {
    link,
    node,
    server: { revision, capabilities, info, ...(instructions !== undefined && { instructions }) },
  }
}

/** @throws JunctorError `PROTOCOL_VIOLATED` */
export function readOpened(data: unknown): Opened {
  const { link, node, server } = isJsonObject(data) ? data : {}
  if (typeof link !== 'string' || typeof node !== 'string') throw violated('an open link', data)
  const { revision, capabilities, info, instructions } = isJsonObject(server) ? server : {}
  if (!isRevision(revision) || !isJsonObject(capabilities) || !isJsonObject(info)) {
    throw violated('an open link with what its server declared', data)
  }
  return { link, node, server: { revision, capabilities, info, instructions: textOf(instructions) } }
}

/** The chunk for a node that is about to leave: running calls continue, new ones go elsewhere. */
export const leaving: JsonObject = { leaving: true }

export function isLeaving(data: unknown): boolean {
  return isJsonObject(data) && data['leaving'] === true
}

export function printLinkEnd({ error }: LinkEnd): Payload {
  return payloadOf(error === undefined ? {} : { error })
}

export function readLinkEnd(result: Payload): LinkEnd {
  const value = result.value()
  return { error: isJsonObject(value) ? textOf(value['error']) : undefined }
}

/** The params of `list`: the kind. @throws JunctorError `PROTOCOL_VIOLATED` */
export function readListKind(params: Payload | undefined): ListKind {
  const kind = params?.value()
  if (kind === 'tools' || kind === 'resources' || kind === 'resourceTemplates' || kind === 'prompts') return kind
  throw violated('a kind of list', kind)
}

/** A list as one payload, with the exact text of each item. */
export function printItems(list: readonly Payload[]): Payload {
  return payloadFromText(`[${list.map(printPayload).join(',')}]`)
}

/** The params of `notify`: the method, and the exact text of the params if there are any. */
export function printLinkNotification({ method, params }: NotificationBody): Payload {
  return printItems(params === undefined ? [payloadOf(method)] : [payloadOf(method), params])
}

/** @throws JunctorError `PROTOCOL_VIOLATED` */
export function readNotification(printed: Payload | undefined): NotificationBody {
  const [method, params] = printed === undefined ? [] : items(printed)
  const name = method?.value()
  if (typeof name !== 'string') throw violated('a notification', name)
  return { method: name, params }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function violated(expected: string, got: unknown): JunctorError {
  return new JunctorError('PROTOCOL_VIOLATED', `expected ${expected} from another node, got ${JSON.stringify(got)}`)
}
