import type { Principal } from '@junctor/exchange'

/** The caller that an issuer vouches for. Not exported from the package: outside of it nobody vouches. */
export function principalOf(issuer: string, subject: string): Principal {
  return { issuer, subject, key: JSON.stringify([issuer, subject]) }
}
