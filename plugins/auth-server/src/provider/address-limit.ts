import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

/** Whether one more is within the limit. `seconds`: when it may be tried again, at least 1. */
type AddressVerdict = { readonly kind: 'allowed' } | { readonly kind: 'refused'; readonly seconds: number }

/**
 * Counts one more of an address.
 *
 * @param client the text under which it is counted
 */
export type AddressLimit = (client: string) => Promise<AddressVerdict>

/** Creates a limit, which is of this node: so many of one address in a minute. */
export function createAddressLimit(most: number): AddressLimit {
  const limiter = new RateLimiterMemory({ points: most, duration: 60 })
  return async (client) => {
    try {
      await limiter.consume(client)
      return { kind: 'allowed' }
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      return { kind: 'refused', seconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) }
    }
  }
}
