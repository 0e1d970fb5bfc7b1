import { LRUCache } from 'lru-cache'
import type { TokenVerdict, VerifyToken } from './verify-token.ts'

/**
 * Gives what became of a token, at once when that is still known. `hash` stands for the token from here on: the token
 * itself is kept nowhere.
 */
export type JudgeToken = (token: string, hash: string) => TokenVerdict | Promise<TokenVerdict>

/** What became of a token, until this time (epoch milliseconds). */
interface Row {
  readonly verdict: TokenVerdict
  readonly until: number
}

/** Tokens that were accepted: about as many as callers are active at once. */
const ACCEPTED = 10_000

/**
 * They are looked at again after this, in milliseconds, or when they expire: a key that the issuer has taken back opens
 * nothing for longer.
 */
const ACCEPTED_MS = 60_000

/** Tokens that were refused: a place of their own, so that no flood of bad ones pushes out the good. */
const REFUSED = 1_000

/** How long a client that repeats itself costs no signature check, in milliseconds. */
const REFUSED_MS = 10_000

/** Remembers verdicts; callers that come with the same token meanwhile wait for one check. */
export function createTokenCache(verify: VerifyToken, now: () => number): JudgeToken {
  const accepted = new LRUCache<string, Row>({ max: ACCEPTED })
  const refused = new LRUCache<string, Row>({ max: REFUSED })
  const pending = new Map<string, Promise<TokenVerdict>>()

  const keep = (hash: string, verdict: TokenVerdict): void => {
    if (verdict.kind === 'caller') {
      accepted.set(hash, { verdict, until: Math.min(verdict.expires, now() + ACCEPTED_MS) })
    } else if (isLasting(verdict)) {
      refused.set(hash, { verdict, until: now() + REFUSED_MS })
    }
  }

  const check = async (token: string, hash: string): Promise<TokenVerdict> => {
    try {
      const verdict = await verify(token)
      keep(hash, verdict)
      return verdict
    } finally {
      pending.delete(hash)
    }
  }

  return (token, hash) => {
    const row = accepted.get(hash) ?? refused.get(hash)
    if (row !== undefined && row.until > now()) return row.verdict
    const underWay = pending.get(hash)
    if (underWay !== undefined) return underWay
    const checking = check(token, hash)
    pending.set(hash, checking)
    return checking
  }
}

/** Whether the same token would be refused again: keys come, and time passes. */
function isLasting(verdict: TokenVerdict): boolean {
  return verdict.kind === 'refused' && verdict.fault !== 'unknown_key' && verdict.fault !== 'early'
}
