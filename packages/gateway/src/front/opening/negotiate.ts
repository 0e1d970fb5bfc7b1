import type { Origin } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import { isJsonObject, type JsonValue, payloadOf, type Request } from '@junctor/jsonrpc'
import { type Extension, type Extensions, knownExtensions, rpcMethods } from '@junctor/protocol'
import { errorFor } from '../../shared/errors.ts'
import type { FrontSession } from '../../sessions/session/front-session.ts'

/** The extensions of JSON-RPC 3.0 that the gateway supports on every transport. */
const offered: readonly Extension[] = ['async', 'progress', 'abort', 'encrypt']
/** The extensions on transports where streams can continue in another place. */
const offeredOnBus: readonly Extension[] = [...offered, 'pubsub']

/** Whether this is `rpc.extensions`, which only JSON-RPC 3.0 has. */
export function isNegotiation({ dialect, method }: Request): boolean {
  return dialect === '3.0' && method === rpcMethods.extensions
}

/**
 * Answers `rpc.extensions` with those of the named extensions that the gateway supports (section 4.3).
 *
 * @param store makes them those of the session on every node, before the client gets the answer
 */
export function negotiateIn(
  session: FrontSession,
  { redirects }: Pick<Origin, 'redirects'>,
  store: (extensions: Extensions) => Promise<void>,
): Handler {
  return async (request, exchange) => {
    const names = namesIn(request)
    if (names === undefined) {
      const message = 'Expected params like {"extensions":["progress","abort"]}, or an array of names'
      const { profile } = session.tenant
      const error = errorFor(exchange.context, request.dialect, profile, 'invalid_params', { message })
      return { kind: 'error', error }
    }
    const known = knownExtensions(names)
    const extensions = (redirects === true ? offeredOnBus : offered).filter((name) => known.includes(name))
    await store(extensions)
    return { kind: 'complete', result: payloadOf({ extensions }) }
  }
}

/** The names in a negotiation request, valid or not. Empty: the request has no params. */
function namesIn({ params }: Request): readonly JsonValue[] | undefined {
  const value = params?.value()
  const names = isJsonObject(value) ? (value['extensions'] ?? []) : (value ?? [])
  return Array.isArray(names) ? names : undefined
}
