import * as z from 'zod'
import type { PinsConfig } from '../config.ts'

/** What becomes of tools that nobody has approved. */
export const pinsMode: z.ZodType<PinsConfig['mode']> = z.enum(['off', 'warn', 'block'])
