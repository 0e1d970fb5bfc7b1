import type { ErrorDetails } from '@junctor/protocol'
import type { Rate } from '../shared/tenant-rates.ts'

/** What a rate limits. */
export type RateScope = 'tenant' | 'principal' | 'tools'

/** Why a call is refused: one rate has no room for it. */
export interface RateRefusal {
  readonly scope: RateScope
  readonly rate: Rate
  /** How long until there is room, in milliseconds. */
  readonly retryAfterMs: number
}

const owners: Readonly<Record<RateScope, string>> = {
  tenant: 'of this tenant',
  principal: 'of one caller',
  tools: 'of this tool and those that share its limit',
}

/** The details of the error for a refused call. */
export function rateDetails({ scope, rate: { calls, windowMs }, retryAfterMs }: RateRefusal): ErrorDetails {
  const seconds = Math.round(windowMs / 100) / 10
  return {
    message: `Too many requests: at most ${calls} in ${seconds} s ${owners[scope]}`,
    data: { retryAfterMs, limit: { of: scope, calls, windowMs: Math.ceil(windowMs) } },
  }
}
