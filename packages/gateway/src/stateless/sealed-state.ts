import type { Seal } from '@junctor/contracts'
import type { CallContext } from '@junctor/exchange'
import { isJsonObject, type Request } from '@junctor/jsonrpc'
import { requestDigest } from './continuation.ts'

/** The state of a backend, as a client has sent it back. */
export type OpenedState =
  /** `state`: what the backend has given; undefined: it gave none. */
  | { readonly kind: 'open'; readonly state: string | undefined }
  /** It is forged, of another caller or request, or too old. */
  | { readonly kind: 'bad' }
  /** It is not sealed: it names a request that waits at a node. */
  | { readonly kind: 'other' }

/** The first character of sealed states. Names of nodes do not have it. */
const mark = '~'

/** How long a client may take to answer, in milliseconds. */
const validMs = 10 * 60_000

/**
 * Seals the state of a backend (2026-07-28, Multi Round-Trip Requests): it is valid for this caller and request, at every
 * node, for ten minutes. So no node has to keep anything of the request.
 *
 * @param now epoch milliseconds
 */
export function sealState(
  seal: Seal,
  context: CallContext,
  request: Request,
  state: string | undefined,
  now: number,
): string {
  const text = JSON.stringify({ state, expires: now + validMs })
  return mark + Buffer.from(seal.close(placeOf(context, request), Buffer.from(text))).toString('base64url')
}

/** Opens a state that a client has sent. */
export function openState(seal: Seal, context: CallContext, request: Request, sent: string, now: number): OpenedState {
  if (!sent.startsWith(mark)) return { kind: 'other' }
  const data = seal.open(placeOf(context, request), Buffer.from(sent.slice(mark.length), 'base64url'))
  if (data === undefined) return { kind: 'bad' }
  const value: unknown = JSON.parse(Buffer.from(data).toString())
  const { state, expires } = isJsonObject(value) ? value : {}
  if (typeof expires !== 'number' || expires <= now) return { kind: 'bad' }
  return { kind: 'open', state: typeof state === 'string' ? state : undefined }
}

function placeOf({ tenant, principal }: CallContext, request: Request): string {
  return `request state ${JSON.stringify([tenant, principal.key, requestDigest(request)])}`
}
