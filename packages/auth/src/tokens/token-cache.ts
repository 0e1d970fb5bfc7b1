import { LRUCache } from 'lru-cache'
import { keptOr } from '@junctor/primitives'
import type { TokenFault } from './token-fault.ts'
import type { TokenVerdict } from './token-verdict.ts'
import type { VerifyToken } from './verify-token.ts'

/**
 * Returns the verdict on a token, synchronously when it is cached. The cache stores `hash` in place of the token; the
 * token itself is not stored.
 */
export type JudgeToken = (token: string, hash: string) => TokenVerdict | Promise<TokenVerdict>

/** A verdict on a token, valid from one time until another (epoch milliseconds). */
interface Row {
  readonly verdict: TokenVerdict
  readonly from: number
  readonly until: number
}

/** The number of accepted tokens in the cache: about the number of callers that are active at the same time. */
const mostAccepted = 10_000

/**
 * Accepted tokens are checked again after this time, in milliseconds, or when they expire. This limits how long a
 * withdrawn key stays usable.
 */
const acceptedMs = 60_000

/**
 * The number of refused tokens in the cache. They have their own cache, so that many invalid tokens do not evict valid
 * ones.
 */
const mostRefused = 1_000

/** How long a repeated refused token causes no signature check, in milliseconds. */
const refusedMs = 10_000

/** Caches verdicts. Callers that present the same token during a check wait for that check. */
export function createTokenCache(verify: VerifyToken, now: () => number): JudgeToken {
  const accepted = new LRUCache<string, Row>({ max: mostAccepted })
  const refused = new LRUCache<string, Row>({ max: mostRefused })
  const pending = new Map<string, Promise<TokenVerdict>>()

  const keep = (hash: string, verdict: TokenVerdict): void => {
    if (verdict.kind === 'caller') {
      accepted.set(hash, { verdict, from: now(), until: Math.min(verdict.expires, now() + acceptedMs) })
      return
    }
    // Otherwise the old verdict would hide this one.
    if (verdict.kind === 'refused') accepted.delete(hash)
    if (isLasting(verdict)) {
      refused.set(hash, { verdict, from: now(), until: now() + refusedMs })
    }
  }

  const check = async (token: string, hash: string): Promise<TokenVerdict> => {
    try {
      const verdict = await verify(token, accepted.has(hash))
      keep(hash, verdict)
      return verdict
    } finally {
      pending.delete(hash)
    }
  }

  return (token, hash) => {
    const row = accepted.get(hash) ?? refused.get(hash)
    // A clock that was set back would keep a revoked token in use.
    const time = now()
    if (row !== undefined && row.from <= time && row.until > time) return row.verdict
    return keptOr(pending, hash, () => check(token, hash))
  }
}

/** Faults after which the same token may be accepted: the issuer changes its keys, or time passes. */
const passing: ReadonlySet<TokenFault> = new Set(['unknown_key', 'ambiguous_key', 'early'])

/** Whether the same token would be refused again. */
function isLasting(verdict: TokenVerdict): boolean {
  return verdict.kind === 'refused' && !passing.has(verdict.fault)
}
