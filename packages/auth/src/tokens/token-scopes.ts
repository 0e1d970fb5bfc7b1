import type { Claims } from '@junctor/primitives'

/** Whether a token has all of these scopes. */
export function hasScopes(claims: Claims, required: readonly string[]): boolean {
  if (required.length === 0) return true
  const granted = scopesOf(claims)
  return required.every((scope) => granted.has(scope))
}

/** Those of the scopes that a token has. */
export function scopesAmong(claims: Claims, scopes: readonly string[]): readonly string[] {
  const granted = scopesOf(claims)
  return scopes.filter((scope) => granted.has(scope))
}

/** The scopes of a token: `scope`, a text with blanks (RFC 9068 section 2.2.3). Some issuers write a list, or `scp`. */
function scopesOf({ scope, scp }: Claims): ReadonlySet<unknown> {
  return new Set([...wordsOf(scope), ...wordsOf(scp)])
}

function wordsOf(claim: unknown): readonly unknown[] {
  if (Array.isArray(claim)) return claim
  return typeof claim === 'string' ? claim.split(' ') : []
}
