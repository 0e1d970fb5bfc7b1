import * as z from 'zod'
import type { PinsConfig } from '../config.ts'

/** What happens to tools that are not approved. */
export const pinsMode: z.ZodType<PinsConfig['mode']> = z.enum(['off', 'warn', 'block'])
