import { z } from 'zod'

/** The params of requests of other nodes about one job. */
export const jobKeySchema: z.ZodType<{ readonly key: string }> = z.object({ key: z.string() })
