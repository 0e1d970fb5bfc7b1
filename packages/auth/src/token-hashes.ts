import { hashApiKey } from './api-key.ts'

/** The number of tokens in each of two generations. A token is recognised again if fewer others came in between. */
const generation = 512

/**
 * Creates a function that hashes tokens and caches the hashes of recent ones: a caller sends the same token with each
 * request, and hashing it again would cost more than the rest of the authentication. Permissions are not cached here.
 * At most 1024 tokens are in memory; the requests that carry them are in memory anyway.
 */
export function createTokenHashes(hash: (token: string) => string = hashApiKey): (token: string) => string {
  let young = new Map<string, string>()
  let old = new Map<string, string>()

  return (token) => {
    const known = young.get(token)
    if (known !== undefined) return known
    const hashed = old.get(token) ?? hash(token)
    if (young.size === generation) {
      old = young
      young = new Map()
    }
    young.set(token, hashed)
    return hashed
  }
}
