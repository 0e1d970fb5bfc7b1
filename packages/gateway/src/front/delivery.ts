import type { CallContext } from '@junctor/exchange'
import type { Origin } from '@junctor/contracts'
import type { Request } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import type { Profile } from '@junctor/protocol'
import { methods, rpcMethods } from '@junctor/protocol'

/**
 * How a request of a session is to be answered: where it came, later on the session's own stream, or when it is
 * collected. `idempotencyKey` is the client's.
 */
export type RequestDelivery =
  | { readonly kind: 'inline' }
  | { readonly kind: 'queued'; readonly idempotencyKey: string | undefined }
  | { readonly kind: 'async'; readonly idempotencyKey: string | undefined }

const inline: RequestDelivery = { kind: 'inline' }

/** They are about the session or about jobs: to answer them later would say nothing. */
const atOnce: ReadonlySet<string> = new Set([methods.initialize, ...Object.values(rpcMethods)])

/**
 * Which delivery a request gets: what it asks for itself (`options.async` of JSON-RPC 3.0, where that was negotiated),
 * else what its HTTP request asks for (`Prefer: respond-async`), else what its tenant's profile does. A connection that
 * is its session has nothing to answer later: there is no other stream. Without a session there is none at all.
 */
export function deliveryOf(
  request: Pick<Request, 'method' | 'options'>,
  context: Pick<CallContext, 'session' | 'extensions'>,
  { respondAsync }: Pick<Origin, 'respondAsync'>,
  profile: Pick<Profile, 'delivery'>,
): RequestDelivery {
  if (context.session === undefined || atOnce.has(request.method)) return inline
  const options = request.options?.value()
  const { async, idempotencyKey: named } = isJsonObject(options) ? options : {}
  const idempotencyKey = typeof named === 'string' ? named : undefined
  const isAsync = async !== undefined && async !== false && async !== null
  if (isAsync && context.extensions?.includes('async') === true) return { kind: 'async', idempotencyKey }
  if (respondAsync === true) return { kind: 'queued', idempotencyKey }
  return respondAsync !== undefined && profile.delivery === 'queued' ? { kind: 'queued', idempotencyKey } : inline
}
