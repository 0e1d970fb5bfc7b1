import { longestName, profiles } from '@junctor/protocol'
import * as z from 'zod'
import type { BareNamesChoice } from '../config.ts'

/** The rules for public names. */
export interface Naming {
  /** The text between prefix and name. Default: the profile's separator. */
  readonly separator?: string | undefined
  /** The maximum length of a name that has a prefix, in characters. Default 64. */
  readonly maxLength?: number | undefined
  /** Whether `[prefix] ` precedes a question that a person reads. Default true. */
  readonly askers?: boolean | undefined
  /** Whether views may call tools by their backends' own names. Default `listed`. */
  readonly bareNames?: BareNamesChoice | undefined
}

/** The schema of how names are made. */
export const namingSchema: z.ZodType<Naming> = z
  .strictObject({
    separator: z
      .string()
      .regex(/^[\w.:/-]{1,8}$/, '1 to 8 letters, digits, or _ . : / -')
      .optional()
      .meta({ example: '__' }),
    maxLength: z
      .int('a whole number from 32 to 128')
      .min(32, 'a whole number from 32 to 128')
      .max(longestName, 'a whole number from 32 to 128')
      .optional()
      .meta({ example: 64 }),
    askers: z.boolean().optional().meta({ example: true }),
    bareNames: z.enum(['listed', 'accepted', 'refused']).optional().meta({ example: 'listed' }),
  })
  .prefault({})

/** The schema of a profile name that this version knows. */
export const profileName: z.ZodType<string> = z.enum(Object.keys(profiles)).meta({ example: 'mcp' })
