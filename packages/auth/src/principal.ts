import type { Principal } from '@junctor/exchange'

/**
 * Creates the principal of a caller that an issuer has verified. It is not exported from the package, because only this
 * package verifies callers.
 */
export function principalOf(issuer: string, subject: string): Principal {
  return { issuer, subject, key: JSON.stringify([issuer, subject]) }
}

/**
 * Creates the principal of a program that acts for itself. It is never equal to the principal of a person, regardless
 * of their names.
 */
export function clientPrincipalOf(issuer: string, client: string): Principal {
  return { issuer, subject: client, key: JSON.stringify([issuer, 'client', client]) }
}
