import type { CallContext } from '@junctor/exchange'
import { edit, mayHave, memberOf, type Request } from '@junctor/jsonrpc'
import { eraOf } from '@junctor/protocol'
import { mayAsk } from '../../shared/may-ask.ts'
import { serverMark, type ServerPlace } from './server-mark.ts'

/** A request for a backend, when it may continue an earlier one (2026-07-28, Multi Round-Trip Requests). */
export type ContinuedRequest =
  /** The request as the backend gets it: with its own state, if it gave one. */
  | { readonly kind: 'request'; readonly request: Request }
  /** The state, and the answers of the client that come with it, are for another backend, or for an earlier one here. */
  | { readonly kind: 'foreign' }

/**
 * The state of a backend, with the mark of the server that gave it. Also a backend without a state gets one, because
 * the answers of the client are for that backend alone.
 */
export function bindState(entry: ServerPlace, state: string | undefined): string {
  return `${serverMark(entry)}${state === undefined ? without : `${has}${state}`}`
}

/** The request for a backend with the state that `bindState` has bound. A request without a state stays as it is. */
export function unbindState(entry: ServerPlace, { revision, chain }: CallContext, request: Request): ContinuedRequest {
  const { params } = request
  // Clients of other revisions, tools that call tools and other methods may use a parameter of this name.
  const isBound = eraOf(revision) === 'modern' && chain === undefined && mayAsk.has(request.method)
  if (!isBound || params === undefined || !mayHave(params, 'requestState')) return { kind: 'request', request }
  const bound = memberOf(params.value(), 'requestState')
  if (bound === undefined) return { kind: 'request', request }
  const mark = serverMark(entry)
  if (typeof bound !== 'string' || !bound.startsWith(mark)) return { kind: 'foreign' }
  const [kind, state] = [bound.charAt(mark.length), bound.slice(mark.length + 1)]
  const requestState = kind === has ? state : undefined
  return { kind: 'request', request: { ...request, params: edit(params, { requestState }) } }
}

/** Between the mark and the state; in place of a state. */
const [has, without] = ['+', '-']
