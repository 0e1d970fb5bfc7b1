import type { Isolation } from '@junctor/contracts'
import type { RunsOn } from '../config.ts'
import { namePattern } from '@junctor/protocol'
import * as z from 'zod'
import { duration, positiveDuration, wholeNumber } from './values.ts'

/**
 * The options that every backend has, with any plugin. The default of an absent option depends on the rest of the file.
 */
export interface CommonOptions {
  readonly prefix?: string | undefined
  readonly timeout?: number | undefined
  readonly askTimeout: number
  readonly isolation?: Isolation | undefined
  readonly runsOn: RunsOn
  readonly maxLinks: number
  readonly idle: number
}

const prefix = z
  .string()
  .refine((value) => value === '' || namePattern.test(value), 'a name of a to z, 0 to 9 and "-", or "" for none')

const options = {
  prefix: prefix.optional().meta({ example: 'search' }),
  timeout: positiveDuration.optional().meta({ example: '30s' }),
  askTimeout: positiveDuration.prefault('60s').meta({ example: '60s' }),
  isolation: z.enum(['session', 'tenant', 'shared']).optional().meta({ example: 'session' }),
  runsOn: z.enum(['gateways', 'workers']).default('gateways').meta({ example: 'workers' }),
  maxLinks: wholeNumber(1).default(256).meta({ example: 256 }),
  idle: duration.prefault('5m').meta({ example: '5m' }),
}

export const commonOptionsSchema: z.ZodType<CommonOptions> = z.object(options)

/** The words of `CommonOptions`. All other words in a backend belong to its plugin. */
export const commonWords: readonly string[] = Object.keys(options)
