import type { Person } from '@junctor/plugin-sdk'
import * as z from 'zod'
import { browserOf } from '../pages/visit.ts'
import { hashOf, personSchema } from '../person/person.ts'
import { openJson, sealJson } from '../person/sealed-json.ts'
import type { AccountsVisit } from './accounts-visit.ts'

/** The person whose accounts a browser may show and end for a while. */
export interface Reader {
  readonly person: Person
  /** The name to show for the person. */
  readonly label: string
}

/** How long a browser may do so, in seconds. */
const readerSeconds = 600

const readerSchema = z.object({
  person: personSchema,
  label: z.string(),
  /** The hash of the secret of the browser. */
  browser: z.string(),
  until: z.number(),
})

const cookie = 'accounts'
const place = 'reader of accounts'

/** Lets this browser show and end the accounts of a person. */
export function rememberReader({ parts, response }: AccountsVisit, browser: string, reader: Reader): void {
  const until = parts.now() + readerSeconds * 1000
  const value = sealJson(parts.seal, place, { ...reader, browser: hashOf(browser), until })
  parts.cookies.set(response, cookie, value, readerSeconds)
}

/** The person who uses this browser. Undefined: no link was opened in it, or too long ago. */
export function readerOf(visit: AccountsVisit): Reader | undefined {
  const { parts, request } = visit
  const [sealed, browser] = [parts.cookies.read(request, cookie), browserOf(visit)]
  if (sealed === undefined || browser === undefined) return undefined
  const read = readerSchema.safeParse(openJson(parts.seal, place, sealed))
  return read.success && read.data.browser === hashOf(browser) && read.data.until > parts.now() ? read.data : undefined
}
