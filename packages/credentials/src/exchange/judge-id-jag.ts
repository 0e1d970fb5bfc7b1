import { decodeJwt, decodeProtectedHeader } from 'jose'

/** The type of identity assertions in their header. */
const type = 'oauth-id-jag+jwt'

/**
 * Judges whether a token is an identity assertion (ID-JAG) for one authorization server. Its signature is for that server
 * to check; this keeps other tokens of the identity provider away from there.
 *
 * @param audience the issuer of the authorization server
 * @returns what is wrong. `undefined`: nothing
 */
export function judgeIdJag(token: string, audience: string): string | undefined {
  const read = readToken(token)
  if (read === undefined) return 'a token that is no JWT'
  if (read.typ !== type) return `a JWT that is not of the type ${type}`
  return read.aud === audience ? undefined : 'an identity assertion for another authorization server'
}

function readToken(token: string): { readonly typ: unknown; readonly aud: unknown } | undefined {
  try {
    return { typ: decodeProtectedHeader(token).typ, aud: decodeJwt(token).aud }
  } catch {
    return undefined
  }
}
