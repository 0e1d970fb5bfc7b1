import type { CallerIdentities } from '../caller-identities.ts'
import type { TokenFault } from './token-fault.ts'

/** The result of checking a token. */
export type TokenVerdict =
  | {
      readonly kind: 'caller'
      readonly caller: CallerIdentities
      /** When the token expires, epoch milliseconds. */
      readonly expires: number
      /** The thumbprint of the key whose holder alone may use the token. Absent: anyone who has the token may. */
      readonly boundTo?: string
    }
  | { readonly kind: 'refused'; readonly fault: TokenFault }
  /** The token could not be judged. */
  | { readonly kind: 'no_keys'; readonly retryAfterMs: number }
