import * as z from 'zod'

/** The demo has nothing to configure, and says so when somebody tries. */
export const config: z.ZodType<object> = z.strictObject({})
