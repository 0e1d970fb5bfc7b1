import * as z from 'zod'

/**
 * The schema of headers that a backend sends with its requests. What HTTP does not allow is a problem of the
 * configuration, not a failure of every request.
 */
export const sentHeaders: z.ZodType<Readonly<Record<string, string>>> = z.record(
  z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'the name of a header: letters, digits and -'),
  z
    .string()
    .regex(
      /^[\t\u0020-\u007e\u0080-\u00ff]*$/,
      'characters that HTTP allows in a header: no line breaks, none beyond ÿ',
    ),
)

/** The schema of a token that a backend sends as `Authorization: Bearer …`. */
export const bearerToken: z.ZodType<string> = z
  .string()
  .min(1)
  .regex(/^[!-~]+$/, 'the token alone: without "Bearer" before it, without spaces and line breaks')
  .meta({ writeOnly: true })
