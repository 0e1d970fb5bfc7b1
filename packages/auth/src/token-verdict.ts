import type { CallerIdentities } from './caller-identities.ts'
import type { TokenFault } from './token-fault.ts'

/** The result of checking a token. */
export type TokenVerdict =
  | {
      readonly kind: 'caller'
      readonly caller: CallerIdentities
      /** When the token expires, epoch milliseconds. */
      readonly expires: number
    }
  | { readonly kind: 'refused'; readonly fault: TokenFault }
  /** The token could not be judged. */
  | { readonly kind: 'no_keys'; readonly retryAfterMs: number }
