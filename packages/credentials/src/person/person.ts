import { createHash } from 'node:crypto'
import type { Person } from '@junctor/plugin-sdk'
import * as z from 'zod'

/** Reads a person from the store. */
export const personSchema: z.ZodType<Person> = z.object({ tenant: z.string(), principal: z.string() })

/** The name of a person's records. Names are not sealed, so that it is a hash. */
export function recordName({ tenant, principal }: Person): string {
  return hashOf(JSON.stringify([tenant, principal]))
}

/** A hash for names of records and for comparisons. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
