/** How many calls may be made in each window of time. */
export interface Rate {
  readonly calls: number
  readonly windowMs: number
}

/** The rate of the tools that a pattern matches, together. */
export interface ToolRate {
  /** `backend:tool`, as in a `NamePolicy`. */
  readonly pattern: string
  readonly rate: Rate
}

/** The rates of a tenant. They hold for all nodes together. */
export interface TenantRates {
  /** The tenant whose calls are counted, also those at the endpoints of its single backends. */
  readonly tenant: string
  /** Of all callers of the tenant together. `undefined`: any number of calls. */
  readonly ofTenant: Rate | undefined
  /** Of each principal. It does not apply to callers without credentials: they are one principal, but many clients. */
  readonly ofPrincipal: Rate | undefined
  /** Every pattern that matches a tool applies to it. */
  readonly ofTools: readonly ToolRate[]
}

/** This many calls may always come at once, or as many as a minute allows. */
const leastBurst = 10

/**
 * The rate for a number of calls per minute.
 *
 * @param burstMs the calls of this time may come at once. It sets the window, and not how many calls an hour has.
 */
export function rateOf(callsPerMinute: number, burstMs: number): Rate {
  const least = Math.min(leastBurst, callsPerMinute)
  const calls = Math.max(least, Math.floor((callsPerMinute * burstMs) / 60_000))
  return { calls, windowMs: (calls * 60_000) / callsPerMinute }
}
