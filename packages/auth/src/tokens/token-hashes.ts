import { hashApiKey } from '../api-keys/api-key.ts'
import { type ShownToken, shownToken } from './shown-token.ts'

/** The number of headers in each of two generations. A header is recognised again if fewer others came in between. */
const generation = 512

/** A token, and its hash as keys are stored. */
export interface HashedToken extends ShownToken {
  readonly hash: string
}

/**
 * Creates a function that reads and hashes the token of an `Authorization` header, and caches recent ones: a caller sends
 * the same header with each request, and hashing its token again would cost more than the rest of the authentication.
 * Permissions are not cached here. At most 1024 headers are in memory; the requests that carry them are in memory anyway.
 * The function returns undefined for a header without a token.
 */
export function createTokenHashes(
  hash: (token: string) => string = hashApiKey,
): (authorization: string) => HashedToken | undefined {
  let young = new Map<string, HashedToken>()
  let old = new Map<string, HashedToken>()

  return (authorization) => {
    const known = young.get(authorization)
    if (known !== undefined) return known
    const hashed = old.get(authorization) ?? read(authorization, hash)
    if (hashed === undefined) return undefined
    if (young.size === generation) {
      old = young
      young = new Map()
    }
    young.set(authorization, hashed)
    return hashed
  }
}

function read(authorization: string, hash: (token: string) => string): HashedToken | undefined {
  const shown = shownToken(authorization)
  return shown === undefined ? undefined : { ...shown, hash: hash(shown.token) }
}
