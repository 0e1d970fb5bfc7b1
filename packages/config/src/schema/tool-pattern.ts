import * as z from 'zod'

/** The schema of a pattern for tools: the name of a backend, a colon, and the name of a tool. */
export const toolPattern: z.ZodType<string> = z
  .string()
  .regex(/^[^:\s]+:\S+$/, 'a pattern such as "search:*" or "files:delete_*"')
