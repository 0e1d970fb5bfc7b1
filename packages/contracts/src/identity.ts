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
}
