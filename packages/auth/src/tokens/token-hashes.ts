import { LRUCache } from 'lru-cache'
import { hashApiKey } from '../api-keys/api-key.ts'
import { type ShownToken, shownToken } from './shown-token.ts'

/** How many headers are in memory. The requests that carry them are in memory anyway. */
const mostHeaders = 1_024

/** A token, and its hash as keys are stored. */
export interface HashedToken extends ShownToken {
  readonly hash: string
}

/**
 * Creates a function that reads and hashes the token of an `Authorization` header, and caches recent ones: a caller sends
 * the same header with each request, and hashing its token again would cost more than the rest of the authentication.
 * Permissions are not cached here. The function returns undefined for a header without a token.
 */
export function createTokenHashes(): (authorization: string) => HashedToken | undefined {
  const known = new LRUCache<string, HashedToken>({ max: mostHeaders })
  return (authorization) => {
    const cached = known.get(authorization)
    if (cached !== undefined) return cached
    const hashed = read(authorization)
    if (hashed !== undefined) known.set(authorization, hashed)
    return hashed
  }
}

function read(authorization: string): HashedToken | undefined {
  const shown = shownToken(authorization)
  return shown && { ...shown, hash: hashApiKey(shown.token) }
}
