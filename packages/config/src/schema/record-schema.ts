import * as z from 'zod'
import type { AuditConfig, EventsConfig } from '../config.ts'
import { byteSize, text, wholeNumber } from './values.ts'

const rotateAt = byteSize.optional().meta({ example: '100MiB' })

/** The schema of the event log. The file stays as written: relative paths stay relative. */
export const eventsSchema: z.ZodType<EventsConfig> = z
  .strictObject({
    keep: wholeNumber(1, 1_000_000).default(10_000).meta({ example: 10_000 }),
    file: text.optional().meta({ example: './events.ndjson' }),
    rotateAt,
  })
  .transform(({ keep, file, rotateAt: bytes }) => ({ keep, file, ...(bytes !== undefined && { rotateAt: bytes }) }))

/** The schema of the audit log. The file stays as written: a relative path stays relative. */
export const auditSchema: z.ZodType<AuditConfig> = z
  .strictObject({
    file: text.optional().meta({ example: './audit.ndjson' }),
    rotateAt,
    required: z.boolean().optional().meta({ example: true }),
  })
  .refine(({ file, required }) => required !== true || file !== undefined, 'a file, where the audit is required')
  .transform(({ file, rotateAt: bytes, required }) => ({
    file,
    ...(bytes !== undefined && { rotateAt: bytes }),
    ...(required !== undefined && { required }),
  }))
