import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import { namePattern } from '@junctor/protocol'
import * as z from 'zod'
import { parseByteSize } from '../byte-size.ts'
import { isTooLong, parseDuration } from '../duration.ts'
import type { Finding, Path } from '../problem.ts'

/** The schema of a duration with its unit; the value is in milliseconds. */
export const duration: z.ZodType<number> = parsed(parseDuration, 'a duration such as 500ms, 30s, 2m or 1h', tooLong)

/** Like `duration`, but greater than zero. */
export const positiveDuration: z.ZodType<number> = parsed(
  (text) => parseDuration(text) || undefined,
  'a duration above zero, such as 500ms, 30s, 2m or 1h',
  tooLong,
)

/** The schema of a size with its unit; the value is in bytes. */
export const byteSize: z.ZodType<number> = parsed(
  (text) => parseByteSize(text) || undefined,
  'a size such as 512B, 64KiB or 4MiB',
)

/** The schema of a whole number. Text of digits is accepted too, because the value of a reference is text. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): z.ZodType<number> {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    z
      .int({ error: ({ code }) => (code === 'invalid_type' ? 'a whole number' : undefined) })
      .min(least)
      .max(most),
  )
}

/** `namePattern` in words. */
const aName = 'a name of a to z, 0 to 9 and "-", at most 64 long, that does not begin with "-"'

/** The schema of the names of backends, tenants and API keys. */
export const name: z.ZodType<string> = z.string().regex(namePattern, aName)

/** Creates the finding for a key that is not a legal name. */
export function illegalName(path: Path, key: string): Finding {
  return {
    kind: 'illegal_name',
    path,
    at: 'key',
    got: JSON.stringify(key),
    expected: aName,
    next: 'Choose another name.',
  }
}

/** The schema of a text that is not empty. */
export const text: z.ZodType<string> = z.string().min(1, 'text that is not empty')

/** The schema of a mapping whose names the user chooses. Its members are checked separately later. */
export const mapping: z.ZodType<JsonObject> = z.custom<JsonObject>(isJsonObject, 'a mapping')

function tooLong(written: string): string | undefined {
  return isTooLong(written) ? 'a duration of at most 24d' : undefined
}

/** @param exactly what is expected instead of this text, where that says more than `expected` */
function parsed(
  parse: (text: string) => number | undefined,
  expected: string,
  exactly?: (written: string) => string | undefined,
): z.ZodType<number> {
  return z.string(expected).transform((written, context) => {
    const value = parse(written)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: exactly?.(written) ?? expected })
    return z.NEVER
  })
}
