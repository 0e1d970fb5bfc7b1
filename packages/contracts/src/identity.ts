import type { Profile } from '@junctor/protocol'
import type { Principal } from '@junctor/exchange'

/** A tenant as transports and renderers see it. */
export interface Tenant {
  /** `default` when no tenants are configured. */
  readonly name: string
  readonly profile: Profile
}

/** An authenticated caller at a tenant it may use. */
export interface Identity {
  readonly kind: 'identity'
  readonly principal: Principal
  readonly tenant: Tenant
  /**
   * When its credentials are no longer good, in epoch milliseconds: a connection or stream that has no end of its own
   * is ended then. Absent: they do not expire.
   */
  readonly expires?: number
}
