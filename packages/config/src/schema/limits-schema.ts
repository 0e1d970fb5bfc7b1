import * as z from 'zod'
import { limitMember, type LimitsConfig, limitUnits, type LimitWord, limitWords } from '../limits-config.ts'
import { type RateOptions, ratesSchema } from './rates-schema.ts'
import { byteSize, duration, positiveDuration, wholeNumber } from './values.ts'

const ofUnit: Readonly<Record<(typeof limitUnits)[LimitWord], z.ZodType<number | undefined>>> = {
  time: positiveDuration.optional().meta({ example: '30s' }),
  size: byteSize.optional().meta({ example: '4MiB' }),
  count: wholeNumber(1).optional().meta({ example: 100 }),
}

/** A body is read as one text, and V8 has none that is longer than half a gibibyte. */
const largestBody = 256 * 1024 ** 2

/** The limits that have bounds of their own. */
const bounded: Readonly<Partial<Record<LimitWord, z.ZodType<number | undefined>>>> = {
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

/** The section `limits`. */
export interface LimitsSection {
  readonly limits: LimitsConfig
  /** The rates of tenants that have none of their own. */
  readonly rates: RateOptions | undefined
}

const schemas = Object.fromEntries(limitWords.map((word) => [word, bounded[word] ?? ofUnit[limitUnits[word]]]))

/** The schema of the limits of a node, and of the rates of its tenants. */
export const limitsSchema: z.ZodType<LimitsSection> = z
  .strictObject({ ...schemas, rates: ratesSchema.optional() })
  .transform(({ rates, ...limits }) => ({
    limits: Object.fromEntries(Object.entries(limits).map(([word, value]) => [limitMember(word as LimitWord), value])),
    rates,
  }))
