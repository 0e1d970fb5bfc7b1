import type { Fabric } from '@junctor/contracts'
import type { OfferAccounts, Person } from '@junctor/plugin-sdk'
import * as z from 'zod'
import { personSchema } from '../person/person.ts'
import { createOfferedLinks, offeredAgainMs } from '../person/offered-links.ts'
import { createSingleUse, type SingleUse, type SingleUseRecord } from '../person/single-use.ts'

/** A link to all accounts of a person, which was given to their program. */
export type AccountTicket = {
  readonly person: Person
  /** The name to show for the person. */
  readonly label: string
}

/** Where the page of all accounts is, below the public URL; no backend is called `-`. A link has its ticket behind it. */
export const accountsPath = '/connections/-/'

/** How long a link can be used, in milliseconds. */
const ticketMs = 600_000 + offeredAgainMs

const ticketSchema: z.ZodType<AccountTicket> = z.object({ person: personSchema, label: z.string() })

/** The tickets of all nodes of a fabric. */
export function createAccountTickets(fabric: Pick<Fabric, 'store' | 'seal'>): SingleUse<AccountTicket> {
  const records = fabric.store<SingleUseRecord>('account tickets', ticketMs)
  return createSingleUse('account ticket', records, fabric.seal, (data) => ticketSchema.safeParse(data).data)
}

/**
 * Creates the links to the page of all accounts.
 *
 * @param publicUrl the URL under which browsers reach the gateway
 */
export function createAccountOffer(fabric: Pick<Fabric, 'store' | 'seal'>, publicUrl: string): OfferAccounts {
  const links = createOfferedLinks(createAccountTickets(fabric), Date.now)
  return async (person, label) => `${publicUrl}${accountsPath}${await links.secretFor({ person, label })}`
}
