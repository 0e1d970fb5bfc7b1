import type { Isolation } from '@junctor/contracts'
import type { AppDomain, PinsConfig, ProcessConfig, RunsOn } from '../config.ts'
import { namePattern } from '@junctor/protocol'
import * as z from 'zod'
import { pinsMode } from './pins-mode.ts'
import { byteSize, duration, positiveDuration, wholeNumber } from './values.ts'

/**
 * The options that every backend has, with any plugin. The default of an absent option depends on the rest of the file.
 */
export interface CommonOptions {
  readonly prefix?: string | undefined
  readonly timeout?: number | undefined
  readonly askTimeout: number
  /** Who shares its links, if that is set, and the process of its own that its plugin has. */
  readonly isolation?: { readonly scope: Isolation | undefined; readonly process?: ProcessConfig } | undefined
  readonly runsOn: RunsOn
  readonly maxLinks: number
  readonly concurrency?: number | undefined
  readonly queue: number
  readonly retry: boolean
  readonly idle: number
  readonly appDomain?: AppDomain | undefined
  readonly pins?: PinsConfig['mode'] | undefined
}

const prefix = z
  .string()
  .refine((value) => value === '' || namePattern.test(value), 'a name of a to z, 0 to 9 and "-", or "" for none')

const scope = z.enum(['session', 'tenant', 'shared'])

/** The memory of a process that sets none: enough for a plugin that keeps little, and small beside a gateway. */
const defaultMemoryBytes = 256 * 1024 ** 2

/** Node itself and what the process loads take some 80 MiB. */
const leastMemoryBytes = 128 * 1024 ** 2

const memory = byteSize.refine((bytes) => bytes >= leastMemoryBytes, 'a size from 128MiB on, because Node takes 80MiB')
const process = z.strictObject({ memory: memory.optional().meta({ example: '256MiB' }) })

/** The word alone, or with the bounds of the process and who shares links. */
const isolation = z.union(
  [
    z.enum([...scope.options, 'process']).transform((word) => (word === 'process' ? inProcess({}) : { scope: word })),
    z.strictObject({ process, scope: scope.optional() }).transform(inProcess),
  ],
  { error: '"session", "tenant", "shared" or "process"' },
)

function inProcess(given: { scope?: Isolation | undefined; process?: { memory?: number | undefined } }): {
  scope: Isolation | undefined
  process: ProcessConfig
} {
  return { scope: given.scope, process: { memoryBytes: given.process?.memory ?? defaultMemoryBytes } }
}

const options = {
  prefix: prefix.optional().meta({ example: 'search' }),
  timeout: positiveDuration.optional().meta({ example: '30s' }),
  askTimeout: positiveDuration.prefault('60s').meta({ example: '60s' }),
  isolation: isolation.optional().meta({ example: 'session' }),
  runsOn: z.enum(['gateways', 'workers']).default('gateways').meta({ example: 'workers' }),
  maxLinks: wholeNumber(1).default(256).meta({ example: 256 }),
  concurrency: wholeNumber(1).optional().meta({ example: 8 }),
  queue: wholeNumber(0).default(100).meta({ example: 100 }),
  retry: z.boolean().default(true).meta({ example: true }),
  idle: duration.prefault('5m').meta({ example: '5m' }),
  appDomain: z.enum(['drop', 'keep', 'recompute']).optional().meta({ example: 'drop' }),
  pins: pinsMode.optional().meta({ example: 'block' }),
}

/**
 * Reads the options that every backend has, with any plugin. Unknown words are dropped, because they belong to the
 * plugin.
 */
export const commonOptionsSchema: z.ZodType<CommonOptions> = z.object(options)

/** The words of `CommonOptions`. All other words in a backend belong to its plugin. */
export const commonWords: readonly string[] = Object.keys(options)
