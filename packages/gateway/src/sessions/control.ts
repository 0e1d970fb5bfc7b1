import type { Control } from '@junctor/contracts'
import { isJsonObject } from '@junctor/jsonrpc'
import type { Extensions } from '@junctor/protocol'
import { knownExtensions } from '@junctor/protocol'

/** The short messages that gateways send each other about sessions. */
export type SessionControl =
  /** A client cancelled a request that some node has open. `id` is its JSON text. */
  | { readonly kind: 'cancel'; readonly session: string; readonly id: string }
  /** What a session has agreed on with its client, for whoever serves it. */
  | { readonly kind: 'extensions'; readonly session: string; readonly extensions: Extensions }
  /** The session is at home at another node from now on. */
  | { readonly kind: 'session-moved'; readonly session: string; readonly home: string }
  /** The session waits for an answer, at the home that hears it: it is not idle. */
  | { readonly kind: 'session-waits'; readonly session: string }
  /** The session is to end, at its home. */
  | { readonly kind: 'end'; readonly session: string }
  /** The session has ended; whoever served it forgets it. */
  | { readonly kind: 'session-ended'; readonly session: string }
  /** The session ends because its home goes away. Whoever served it forgets it; calls under way tell how they ended. */
  | { readonly kind: 'session-left'; readonly session: string }

export function toControl({ kind, ...body }: SessionControl): Control {
  return { kind, body }
}

/** Reads a control from another node; `undefined` for what this version does not know. */
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
