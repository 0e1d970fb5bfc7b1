import * as z from 'zod'
import type { Person } from '@junctor/plugin-sdk'
import { personSchema } from '../person/person.ts'

/** A link that was given to a person's program. */
export type Ticket = {
  readonly person: Person
  /** The name to show for the person. */
  readonly label: string
  /** The scopes that the server has asked for besides. */
  readonly scope: string | null
}

/** Reads a ticket from the store. */
export const ticketSchema: z.ZodType<Ticket> = z.object({
  person: personSchema,
  label: z.string(),
  scope: z.string().nullable(),
})
