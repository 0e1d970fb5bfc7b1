import type { Principal } from '@junctor/exchange'

/** The caller that an issuer vouches for. Not exported from the package: outside of it nobody vouches. */
export function principalOf(issuer: string, subject: string): Principal {
  return { issuer, subject, key: JSON.stringify([issuer, subject]) }
}

/** A program that an issuer vouches for, on nobody's behalf: never the same as a person, however each is called. */
export function clientPrincipalOf(issuer: string, client: string): Principal {
  return { issuer, subject: client, key: JSON.stringify([issuer, 'client', client]) }
}
