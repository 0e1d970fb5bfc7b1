import { createPacedWarning, type Log, reasonWithCauses } from '@junctor/contracts'
import { isJsonObject, withoutNulls } from '@junctor/jsonrpc'
import { fetchJson } from './fetch-json.ts'
import type { Introspection } from './issuer-options.ts'
import type { JudgeClaims } from './judge-claims.ts'
import { toleranceSeconds } from './tolerance.ts'
import type { TokenVerdict } from './token-verdict.ts'
import type { VerifyToken } from './verify-token.ts'

/** How the authorization server is asked about a token, and what its answer must say. */
export interface IntrospectorOptions extends Introspection {
  /** The issuer that tokens must be of. */
  readonly issuer: string
  readonly judge: JudgeClaims
  /** Returns epoch milliseconds. */
  readonly now: () => number
  readonly log: Log
}

/** How long the authorization server may take, in milliseconds. */
const timeoutMs = 5_000

/** How long callers wait when the authorization server does not answer, in milliseconds. */
const retryMs = 5_000

/** The most questions at the same time about new tokens: clients can invent them, and each causes one question. */
const mostQuestions = 32

/**
 * Creates the check of tokens that only their authorization server can read (RFC 7662). Tokens without an audience are
 * refused, like signed ones.
 */
export function createIntrospector(options: IntrospectorOptions): VerifyToken {
  let questions = 0
  const unasked = createPacedWarning(options.log, 'the authorization server cannot be asked about a token', 'tokens')
  return async (token, wasAccepted) => {
    if (!wasAccepted && questions >= mostQuestions) return { kind: 'no_keys', retryAfterMs: 1_000 }
    const counted = wasAccepted ? 0 : 1
    questions += counted
    try {
      return judgeAnswer(options, await ask(options, token))
    } catch (error) {
      unasked(reasonWithCauses(error))
      return { kind: 'no_keys', retryAfterMs: retryMs }
    } finally {
      questions -= counted
    }
  }
}

async function ask({ url, clientId, clientSecret }: Introspection, token: string): Promise<unknown> {
  const pair = [clientId, clientSecret].map((text) => new URLSearchParams({ a: text }).toString().slice(2)).join(':')
  return fetchJson(new URL(url), AbortSignal.timeout(timeoutMs), {
    authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
    form: new URLSearchParams({ token, token_type_hint: 'access_token' }),
  })
}

/**
 * Judges an answer (RFC 7662 section 2.2). A missing member has no effect, except `active`. Many servers write `null` for what
 * they do not have.
 */
export function judgeAnswer(
  { issuer, judge, now, reuseMs }: Pick<IntrospectorOptions, 'issuer' | 'judge' | 'now' | 'reuseMs'>,
  answer: unknown,
): TokenVerdict {
  const claims = withoutNulls(answer)
  if (!isJsonObject(claims)) throw new Error('expected an object as the answer')
  const { active, iss, exp, nbf } = claims
  if (active !== true) return { kind: 'refused', fault: 'inactive' }
  if (iss !== undefined && iss !== issuer) return { kind: 'refused', fault: 'issuer' }
  const seconds = now() / 1000
  if (exp !== undefined && !(typeof exp === 'number' && exp + toleranceSeconds > seconds)) {
    return { kind: 'refused', fault: 'expired' }
  }
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf - toleranceSeconds <= seconds)) {
    return { kind: 'refused', fault: 'early' }
  }
  const verdict = judge(claims)
  // The gateway gets no message when a token is revoked.
  return verdict.kind === 'caller' ? { ...verdict, expires: Math.min(verdict.expires, now() + reuseMs) } : verdict
}
