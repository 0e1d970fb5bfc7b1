import { hashApiKey } from './api-key.ts'

/** Tokens of each of two generations. A caller that comes again within that many others is recognised. */
const generation = 512

/**
 * Hashes tokens, and remembers the hashes of those that came lately: a caller sends the same one with each request, and
 * to hash it again would cost more than all else that is done to know the caller. What a token may do is not remembered
 * here. At most 1024 tokens are in memory, where the requests that carry them are anyway.
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
