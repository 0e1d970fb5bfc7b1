import { isLoopbackAddress, isLoopbackHost } from '@junctor/connection'

/** How a gateway is about to listen. */
export interface ListenPlan {
  /** The address to listen on, as configured: a name, an IP address, empty for all addresses. */
  readonly host: string
  /** Callers must authenticate. */
  readonly authenticated: boolean
  /** The operator has declared that any caller may use the gateway. */
  readonly anonymous: boolean
}

/** Whether a plan is refused; if so, the message for the operator. */
export type ListenVerdict = { readonly refused: false } | { readonly refused: true; readonly message: string }

/**
 * Refuses a plan that would listen on other machines without authentication, unless `anonymous` declares that any
 * caller may use the gateway. A name other than `localhost` counts as public, because its address may change.
 */
export function refusesPublicListen(plan: ListenPlan): ListenVerdict {
  const { host, authenticated, anonymous } = plan
  if (authenticated || anonymous || isLoopbackAddress(host) || isLoopbackHost(host.toLowerCase())) {
    return { refused: false }
  }
  return {
    refused: true,
    message:
      `refusing to listen on ${host === '' ? 'all addresses' : host} without authentication: ` +
      'configure `auth`, listen on 127.0.0.1, or set `auth.anonymous: true` to admit every caller',
  }
}
