import type { Profile } from '@junctor/protocol'
import type { Principal } from '@junctor/exchange'

/** A tenant as transports and renderers see it. */
export interface Tenant {
  /** `default` when no tenants are configured. */
  readonly name: string
  readonly profile: Profile
}

/** An authenticated caller at a tenant that it may use. */
export interface Identity {
  readonly kind: 'identity'
  readonly principal: Principal
  readonly tenant: Tenant
  /**
   * When the credentials expire, in epoch milliseconds. A connection or stream without an end of its own is ended then.
   * Absent: the credentials do not expire.
   */
  readonly expires?: number
  /**
   * Of the scopes that single tools need, those that the caller's token has. Absent: scopes do not limit the caller, because
   * no tool needs any, or because its credentials are not a token.
   */
  readonly scopes?: readonly string[]
  /**
   * The caller's access token, sealed for the nodes: `sealCallerToken`. Absent: no backend of the tenant takes it, or the
   * credentials are not a token.
   */
  readonly callerToken?: string
}
