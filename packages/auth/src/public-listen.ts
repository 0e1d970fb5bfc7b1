import { isLoopbackAddress, isLoopbackHost } from '@junctor/connection'

/** What a gateway is about to do with its public door. */
export interface ListenPlan {
  /** The address to listen on, as configured: a name, an IP address, empty for all addresses. */
  readonly host: string
  /** Callers have to prove who they are. */
  readonly authenticated: boolean
  /** Whoever runs the gateway said that anybody may use it. */
  readonly anonymous: boolean
}

/** Whether a plan is refused; if so, what to tell whoever runs the gateway. */
export type ListenVerdict = { readonly refused: false } | { readonly refused: true; readonly message: string }

/**
 * A gateway without authentication listens on this machine alone, unless `anonymous` says that anybody may use it. A
 * name other than `localhost` counts as public: what it resolves to may change.
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
      'configure `auth`, listen on 127.0.0.1, or set `auth.anonymous: true` to let anybody in',
  }
}
