import type { Claims } from '@junctor/primitives'

/** How a token is bound to its bearer (RFC 7800). */
type Confirmation =
  /** Every party that has the token may use it. */
  | { readonly kind: 'none' }
  /** Only the holder of the key with this thumbprint (RFC 9449 section 6.1). */
  | { readonly kind: 'key'; readonly thumbprint: string }
  /** In a way that cannot be checked here, such as by a certificate. */
  | { readonly kind: 'unknown' }

/** Reads the claim `cnf`. */
export function confirmationOf({ cnf }: Claims): Confirmation {
  if (cnf === undefined) return { kind: 'none' }
  if (typeof cnf !== 'object' || cnf === null || Object.keys(cnf).length !== 1) return { kind: 'unknown' }
  const { jkt } = cnf as Claims
  return typeof jkt === 'string' && jkt !== '' ? { kind: 'key', thumbprint: jkt } : { kind: 'unknown' }
}
