import { type Exchange, isOfGateway, methods, type Scope } from '@junctor/plugin-sdk/link'

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
 * there. It guesses the newest call that is no job, because a client waits for it. Requests of the gateway itself are left
 * out: they cause no messages.
 *
 * @param correlates whether the transport names the request of most messages. Then a message without one probably belongs
 *   to no request
 * @param method of the message. `roots/list` is never attributed to a job: servers send it when the roots have changed, and
 *   the client of a job may be disconnected
 */
export function attribute(
  inFlight: readonly CallInFlight[],
  scope: Scope,
  correlates: boolean,
  method: string,
): Attribution {
  if (!isOwn(scope)) return { kind: 'no_client' }
  const skipsJobs = method === methods.rootsList && scope.session !== undefined
  const calls = inFlight.filter(
    ({ exchange: { context } }) => !isOfGateway(context) && !(skipsJobs && context.job !== undefined),
  )
  const newest = calls.at(-1)
  if (newest === undefined) return { kind: 'client' }
  if (calls.length === 1) return { kind: 'exchange', exchange: newest.exchange, guessed: correlates }
  // Without a session, the calls in flight may belong to several clients of one principal.
  if (scope.session === undefined) return { kind: 'no_client' }
  // The client of a job may be disconnected, and cannot answer a question then.
  const { exchange } = calls.findLast((call) => call.exchange.context.job === undefined) ?? newest
  return { kind: 'exchange', exchange, guessed: true }
}

/** Whether a link belongs to one client alone. */
export function isOwn(scope: Scope): boolean {
  return scope.session !== undefined || scope.principal !== undefined
}
