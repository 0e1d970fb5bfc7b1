import { profiles } from '@junctor/protocol'
import * as z from 'zod'

/** How public names are made. */
export interface Naming {
  /** Stands between prefix and name. Default: the profile's own. */
  readonly separator?: string | undefined
}

export const namingSchema: z.ZodType<Naming> = z
  .strictObject({
    separator: z
      .string()
      .regex(/^[\w.:/-]{1,8}$/, '1 to 8 letters, digits, or _ . : / -')
      .optional()
      .meta({ example: '__' }),
  })
  .prefault({})

/** The name of a profile that this version knows. */
export const profileName: z.ZodType<string> = z.enum(Object.keys(profiles)).meta({ example: 'mcp' })
