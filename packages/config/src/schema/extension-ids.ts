import * as z from 'zod'

/** A prefix of labels, and a name (SEP-2133: the keys of `_meta`, with a prefix that must not be absent). */
const identifier = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*\/[a-z0-9]([\w.-]*[a-z0-9])?$/i

/** A list of identifiers of extensions. */
export const extensionIds: z.ZodType<readonly string[] | undefined> = z
  .array(z.string().regex(identifier, 'an identifier such as "com.example/notes"'))
  .optional()
  .meta({ example: ['com.example/notes'] })
