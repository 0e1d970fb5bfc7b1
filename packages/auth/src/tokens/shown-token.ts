/** The longest `Authorization` header that is read, in characters. Tokens of identity providers are much shorter. */
export const longestAuthorization = 8_192

const tokenForm = /^(bearer|dpop) +([a-z0-9._~+/-]+=*)$/i

/** A token as a request shows it. */
export interface ShownToken {
  readonly token: string
  /** With a proof that the client has the key of the token (RFC 9449 section 7.1). */
  readonly isProven: boolean
}

/**
 * Returns the token of an `Authorization` header (RFC 6750 section 2.1, RFC 9449 section 7.1); undefined when it holds
 * none.
 */
export function shownToken(authorization: string | undefined): ShownToken | undefined {
  if (authorization === undefined || authorization.length > longestAuthorization) return undefined
  const [, scheme = '', token] = tokenForm.exec(authorization) ?? []
  return token === undefined ? undefined : { token, isProven: scheme.toLowerCase() === 'dpop' }
}
