import * as z from 'zod'
import type { AuditConfig, EventsConfig } from '../config.ts'
import { text, wholeNumber } from './values.ts'

/** What is kept of what happened. The file is as it was written: relative paths are still relative. */
export const eventsSchema: z.ZodType<EventsConfig> = z
  .strictObject({
    keep: wholeNumber(1, 1_000_000).default(10_000).meta({ example: 10_000 }),
    file: text.optional().meta({ example: './events.ndjson' }),
  })
  .transform(({ keep, file }) => ({ keep, file }))

/** Who did what. The file is as it was written: a relative path is still relative. */
export const auditSchema: z.ZodType<AuditConfig> = z
  .strictObject({ file: text.optional().meta({ example: './audit.ndjson' }) })
  .transform(({ file }) => ({ file }))
