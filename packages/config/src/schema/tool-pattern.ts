import * as z from 'zod'

/** The schema of a pattern for tools: the name of a backend, a colon, and the name of a tool. */
export const toolPattern: z.ZodType<string> = z
  .string()
  .regex(/^[^:\s]+:\S+$/, 'a pattern such as "search:*" or "files:delete_*"')

/** The schema of values by patterns for tools. */
export function patternRecord<Value>(value: z.ZodType<Value>): z.ZodType<Record<string, Value>> {
  return z.record(z.string(), value).superRefine((values, context) => {
    const wrong = Object.keys(values).filter((pattern) => !toolPattern.safeParse(pattern).success)
    for (const key of wrong)
      context.addIssue({ code: 'invalid_key', origin: 'record', issues: issuesOf(key), path: [key] })
  })
}

function issuesOf(key: string): z.core.$ZodIssue[] {
  return toolPattern.safeParse(key).error?.issues ?? []
}
