/** The claims of a token, as its issuer wrote them. */
export type Claims = Readonly<Record<string, unknown>>

/**
 * Returns a claim by its name. A name with dots is first read as a name (`https://example.com/org`), then as a path
 * (`realm_access.roles`). Returns undefined when there is no such claim.
 */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Claims)[part]
  }
  return value
}
