/** The claims of a token, as its issuer wrote them. */
export type Claims = Readonly<Record<string, unknown>>

/**
 * A claim by its name. A name with dots is a name first (`https://example.com/org`) and then a path
 * (`realm_access.roles`). Undefined when there is no such claim.
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
