import * as z from 'zod'
import type { LimitsConfig } from '../config.ts'
import { type RateOptions, ratesSchema } from './rates-schema.ts'
import { byteSize, duration, positiveDuration, wholeNumber } from './values.ts'

/** The unit of a limit, which decides how it is written in the file. */
export type LimitUnit = 'time' | 'size' | 'count'

/** Every limit with its unit. Each word is the name used by the component that enforces it, and is documented there. */
export const limitUnits: Readonly<Record<string, LimitUnit>> = {
  body: 'size',
  headers: 'size',
  depth: 'count',
  batch: 'count',
  connections: 'count',
  connectionsOfAddress: 'count',
  streamBuffer: 'size',
  headersTimeout: 'time',
  requestTimeout: 'time',
  keepAliveTimeout: 'time',
  stalled: 'time',
  streamKeepAlive: 'time',
  drainDelay: 'time',
  grace: 'time',
  sessions: 'count',
  sessionsOfPrincipal: 'count',
  sessionsOfTenant: 'count',
  sessionIdle: 'time',
  inFlight: 'count',
  callsOfPrincipal: 'count',
  loopDelay: 'time',
  heapPercent: 'count',
  streams: 'count',
  streamsOfPrincipal: 'count',
  streamsOfTenant: 'count',
  streamEntries: 'count',
  streamCharacters: 'count',
  streamKeep: 'time',
  pageItems: 'count',
  instructions: 'count',
  startWait: 'time',
  listChanged: 'time',
}

const schemas: Readonly<Record<LimitUnit, z.ZodType<number | undefined>>> = {
  time: positiveDuration.optional().meta({ example: '30s' }),
  size: byteSize.optional().meta({ example: '4MiB' }),
  count: wholeNumber(1).optional().meta({ example: 100 }),
}

/** A body is read as one text, and V8 has none that is longer than half a gibibyte. */
const largestBody = 256 * 1024 ** 2

/** The limits that have bounds of their own. */
const bounded: Readonly<Record<string, z.ZodType<number | undefined>>> = {
  body: byteSize
    .refine((bytes) => bytes <= largestBody, 'a size of at most 256MiB')
    .optional()
    .meta({ example: '4MiB' }),
  headers: byteSize
    .refine((bytes) => bytes >= 1024, 'a size of at least 1KiB')
    .optional()
    .meta({ example: '16KiB' }),
  // Code that is recursive, as that of `JSON.stringify`, fails at several thousand levels.
  depth: wholeNumber(1, 1000).optional().meta({ example: 64 }),
  heapPercent: wholeNumber(1, 100).optional().meta({ example: 95 }),
  // Zero is the default.
  drainDelay: duration.optional().meta({ example: '30s' }),
}

/** Returns the name of a limit in a checked configuration: durations end in `Ms` there. */
export function limitMember(word: string): keyof LimitsConfig {
  return (limitUnits[word] === 'time' ? `${word}Ms` : word) as keyof LimitsConfig
}

/** The section `limits`. */
export interface LimitsSection {
  readonly limits: LimitsConfig
  /** The rates of tenants that have none of their own. */
  readonly rates: RateOptions | undefined
}

const units = Object.fromEntries(
  Object.entries(limitUnits).map(([word, unit]) => [word, bounded[word] ?? schemas[unit]]),
)

/** The schema of the limits of a node, and of the rates of its tenants. */
export const limitsSchema: z.ZodType<LimitsSection> = z
  .strictObject({ ...units, rates: ratesSchema.optional() })
  .transform(({ rates, ...limits }) => ({
    limits: Object.fromEntries(Object.entries(limits).map(([word, value]) => [limitMember(word), value])),
    rates,
  }))
