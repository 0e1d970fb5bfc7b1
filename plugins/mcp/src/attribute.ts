import type { Exchange, Scope } from '@junctor/plugin-sdk/link'

/** A call that an upstream works on. */
export interface CallInFlight {
  readonly exchange: Exchange
}

/** Whom a message from upstream concerns that does not say which request caused it. */
export type Attribution =
  | { readonly kind: 'exchange'; readonly exchange: Exchange; readonly guessed: boolean }
  /** The link's client, outside any request. */
  | { readonly kind: 'client' }
  /** It cannot be known, and must not be guessed: the link is used by several clients. */
  | { readonly kind: 'nobody' }

/**
 * Attributes a message by what is in flight, oldest first. On a link that one client has for itself a wrong guess does
 * no harm; on any other it would show one client what is another's, so there is none.
 *
 * @param separated whether the transport tells which request most messages belong to, so that one that it does not tell
 *   of probably belongs to none
 */
export function attribute(inFlight: readonly CallInFlight[], scope: Scope, separated: boolean): Attribution {
  if (!isOwn(scope)) return { kind: 'nobody' }
  const newest = inFlight.at(-1)
  if (newest === undefined) return { kind: 'client' }
  if (inFlight.length === 1) return { kind: 'exchange', exchange: newest.exchange, guessed: separated }
  // Without a session, the calls in flight may be those of several clients of one principal.
  if (scope.session === undefined) return { kind: 'nobody' }
  return { kind: 'exchange', exchange: newest.exchange, guessed: true }
}

/** Whether a link is one client's alone. */
export function isOwn(scope: Scope): boolean {
  return scope.session !== undefined || scope.principal !== undefined
}
