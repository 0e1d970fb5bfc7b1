import type { Control } from '@junctor/contracts'
import { isJsonObject } from '@junctor/jsonrpc'
import type { Extensions } from '@junctor/protocol'
import { knownExtensions } from '@junctor/protocol'

/** The control messages that gateways send each other about sessions. */
export type SessionControl =
  /** A client cancelled a request that may be open on any node. `id` is the JSON text of the request id. */
  | { readonly kind: 'cancel'; readonly session: string; readonly id: string }
  /** The extensions that a session and its client agreed on, for every node that serves the session. */
  | { readonly kind: 'extensions'; readonly session: string; readonly extensions: Extensions }
  /** The session has a new home node. */
  | { readonly kind: 'session-moved'; readonly session: string; readonly home: string }
  /** A node waits for an answer for the session. Its home node must not treat the session as idle. */
  | { readonly kind: 'session-waits'; readonly session: string }
  /** Asks the home node to end the session. */
  | { readonly kind: 'end'; readonly session: string }
  /** The session has ended; every node that served it forgets it. */
  | { readonly kind: 'session-ended'; readonly session: string }
  /**
   * The session ends because its home node leaves. Every node that served it forgets it; open calls report how they
   * ended.
   */
  | { readonly kind: 'session-left'; readonly session: string }

export function toControl({ kind, ...body }: SessionControl): Control {
  return { kind, body }
}

/** Reads a control message from another node. `undefined`: this version does not know the message. */
export function readControl({ kind, body }: Control): SessionControl | undefined {
  if (!isJsonObject(body)) return undefined
  const { session, id, extensions, home } = body
  if (typeof session !== 'string') return undefined
  if (kind === 'session-waits') return { kind, session }
  if (kind === 'end' || kind === 'session-ended' || kind === 'session-left') return { kind, session }
  if (kind === 'session-moved' && typeof home === 'string') return { kind, session, home }
  if (kind === 'cancel' && typeof id === 'string') return { kind, session, id }
  if (kind === 'extensions') return { kind, session, extensions: knownExtensions(extensions) }
  return undefined
}
