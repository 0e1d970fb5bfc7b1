import * as z from 'zod'
import type { Person } from '@junctor/plugin-sdk'
import { personSchema } from '../person/person.ts'
import { openJson, sealJson } from '../person/sealed-json.ts'
import type { Visit } from './visit.ts'

/** The person whose grant a browser has made: it may show and end it. */
export interface Owner {
  readonly person: Person
  /** The name to show for the person. */
  readonly label: string
}

/** Browsers remember for so long, in seconds. */
const ownerSeconds = 90 * 24 * 60 * 60

const ownerSchema = z.object({
  person: personSchema,
  label: z.string(),
  until: z.number(),
})

const place = 'owner'

/** Lets the browser show and end the grant of this person later. */
export function rememberOwner({ parts, response }: Visit, owner: Owner): void {
  const until = parts.now() + ownerSeconds * 1000
  parts.cookies.set(response, nameFor(parts.backend), sealJson(parts.seal, place, { ...owner, until }), ownerSeconds)
}

/** The person whose grant the browser has made. */
export function ownerOf({ parts, request }: Visit): Owner | undefined {
  const sealed = parts.cookies.read(request, nameFor(parts.backend))
  const read = ownerSchema.safeParse(sealed === undefined ? undefined : openJson(parts.seal, place, sealed))
  return read.success && read.data.until > parts.now() ? read.data : undefined
}

function nameFor(backend: string): string {
  return `owner_${backend}`
}
