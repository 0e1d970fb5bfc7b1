import type { CallContext } from '@junctor/exchange'
import type { Origin } from '@junctor/contracts'
import { isJsonObject, type Request } from '@junctor/jsonrpc'
import { methods, type Profile, rpcMethods } from '@junctor/protocol'

/**
 * How a request of a session is answered: where it came, later on the session's own stream, or when the client collects
 * it. `idempotencyKey` comes from the client.
 */
export type RequestDelivery =
  | { readonly kind: 'inline' }
  | { readonly kind: 'queued'; readonly idempotencyKey: string | undefined }
  | { readonly kind: 'async'; readonly idempotencyKey: string | undefined }

const inline: RequestDelivery = { kind: 'inline' }

/** Requests about the session or about jobs: a later answer to them would be useless. */
const answeredInline: ReadonlySet<string> = new Set([methods.initialize, ...Object.values(rpcMethods)])

/**
 * The delivery of a request: the one that it asks for itself (`options.async` of JSON-RPC 3.0, if negotiated), else the
 * one that its HTTP request asks for (`Prefer: respond-async`), else the one of its tenant's profile. A session that is
 * one connection, and a request without a session, have no other stream: they are always answered where they came.
 */
export function deliveryOf(
  request: Pick<Request, 'method' | 'options'>,
  context: Pick<CallContext, 'session' | 'extensions'>,
  { respondAsync }: Pick<Origin, 'respondAsync'>,
  profile: Pick<Profile, 'delivery'>,
): RequestDelivery {
  if (context.session === undefined || answeredInline.has(request.method)) return inline
  const options = request.options?.value()
  const { async, idempotencyKey: named } = isJsonObject(options) ? options : {}
  const idempotencyKey = typeof named === 'string' ? named : undefined
  const isAsync = async !== undefined && async !== false && async !== null
  if (isAsync && context.extensions?.includes('async') === true) return { kind: 'async', idempotencyKey }
  if (respondAsync === true) return { kind: 'queued', idempotencyKey }
  return respondAsync !== undefined && profile.delivery === 'queued' ? { kind: 'queued', idempotencyKey } : inline
}
