import * as z from 'zod'
import type { RatesConfig } from '../config.ts'
import { patternRecord } from './tool-pattern.ts'
import { positiveDuration, wholeNumber } from './values.ts'

/** Rates as written in the file. An absent member has the value of the file, and then the default. */
export interface RateOptions {
  readonly callsPerMinute?: number | undefined
  readonly callsPerMinuteOfPrincipal?: number | undefined
  readonly callsPerMinuteOfTools?: Readonly<Record<string, number>> | undefined
  /** Milliseconds. */
  readonly burst?: number | undefined
}

/** A sixth of what a minute allows may come at once. */
const defaultBurstMs = 10_000

/** Calls are counted for twice this long. */
const longestBurstMs = 60 * 60_000

const burst = positiveDuration.refine((ms) => ms <= longestBurstMs, 'a duration of at most 1h')

const rate = wholeNumber(1, 1_000_000)

const rateOfTools = patternRecord(rate).meta({ example: { 'files:delete_*': 10 } })

/** The schema of the rates of a tenant, or of all tenants that have none of their own. */
export const ratesSchema: z.ZodType<RateOptions> = z.strictObject({
  callsPerMinute: rate.optional().meta({ example: 600 }),
  callsPerMinuteOfPrincipal: rate.optional().meta({ example: 60 }),
  callsPerMinuteOfTools: rateOfTools.optional(),
  burst: burst.optional().meta({ example: '10s' }),
})

/** The rates of a tenant: its own, else those of the file. `undefined`: it may make any number of calls. */
export function ratesOf(own: RateOptions = {}, ofFile: RateOptions = {}): RatesConfig | undefined {
  const callsPerMinute = own.callsPerMinute ?? ofFile.callsPerMinute
  const callsPerMinuteOfPrincipal = own.callsPerMinuteOfPrincipal ?? ofFile.callsPerMinuteOfPrincipal
  const callsPerMinuteOfTools = own.callsPerMinuteOfTools ?? ofFile.callsPerMinuteOfTools ?? {}
  const isUnlimited = callsPerMinute === undefined && callsPerMinuteOfPrincipal === undefined
  if (isUnlimited && Object.keys(callsPerMinuteOfTools).length === 0) return undefined
  const burstMs = own.burst ?? ofFile.burst ?? defaultBurstMs
  return { callsPerMinute, callsPerMinuteOfPrincipal, callsPerMinuteOfTools, burstMs }
}
