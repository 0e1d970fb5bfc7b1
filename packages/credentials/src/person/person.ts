import { createHash } from 'node:crypto'

/** Whom a grant is of. */
export interface Person {
  readonly tenant: string
  /** The key of the principal. */
  readonly principal: string
}

/** The name of a person's records. Names are not sealed, so that it is a hash. */
export function recordName({ tenant, principal }: Person): string {
  return hashOf(JSON.stringify([tenant, principal]))
}

/** A hash for names of records and for comparisons. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
