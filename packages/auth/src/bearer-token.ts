/** The longest token that is checked, in characters. Tokens of identity providers are much shorter. */
const LONGEST = 8192

const BEARER = /^bearer +([a-z0-9._~+/-]+=*)$/i

/** Returns the token of an `Authorization` header (RFC 6750 section 2.1); undefined when it holds no bearer token. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > LONGEST) return undefined
  return BEARER.exec(authorization)?.[1]
}
