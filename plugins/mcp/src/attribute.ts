import type { Exchange, Scope } from '@junctor/plugin-sdk/link'

/** A call that an upstream works on. */
export interface CallInFlight {
  readonly exchange: Exchange
}

/** The receiver of an upstream message that does not name the request which caused it. */
export type Attribution =
  | { readonly kind: 'exchange'; readonly exchange: Exchange; readonly guessed: boolean }
  /** The link's client, outside any request. */
  | { readonly kind: 'client' }
  /** The receiver is unknown, and must not be guessed: several clients use the link. */
  | { readonly kind: 'no_client' }

/**
 * Attributes a message by the calls in flight, oldest first. On a link that belongs to one client, a wrong guess does
 * no harm. On any other link it would show one client a message of another client, so this function does not guess
 * there. Its guess is the newest call that is no job: the client waits for that one.
 *
 * @param separated whether the transport names the request of most messages, so that a message without one probably
 *   belongs to no request
 */
export function attribute(inFlight: readonly CallInFlight[], scope: Scope, separated: boolean): Attribution {
  if (!isOwn(scope)) return { kind: 'no_client' }
  const newest = inFlight.at(-1)
  if (newest === undefined) return { kind: 'client' }
  if (inFlight.length === 1) return { kind: 'exchange', exchange: newest.exchange, guessed: separated }
  // Without a session, the calls in flight may belong to several clients of one principal.
  if (scope.session === undefined) return { kind: 'no_client' }
  // A job may have no reader while it runs, and so nobody who answers a question.
  const { exchange } = inFlight.findLast((call) => call.exchange.context.job === undefined) ?? newest
  return { kind: 'exchange', exchange, guessed: true }
}

/** Whether a link belongs to one client alone. */
export function isOwn(scope: Scope): boolean {
  return scope.session !== undefined || scope.principal !== undefined
}
