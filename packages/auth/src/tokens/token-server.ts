import { createPacedWarning, type Log, reasonWithCauses } from '@junctor/contracts'
import type { JsonObject } from '@junctor/jsonrpc'
import type { OAuthEndpoints } from '../refusal-answers.ts'
import { judgeAnswer } from './introspect-token.ts'
import { createClaimsJudge } from './judge-claims.ts'
import { createMembership, type TenantAccess } from '../membership.ts'
import { createTokenCache, type JudgeToken } from './token-cache.ts'

/** An authorization server in this process. */
export interface TokenServerOptions {
  /** The issuer of its tokens. */
  readonly issuer: string
  readonly endpoints?: OAuthEndpoints
  /** What it knows of a token, as RFC 7662 section 2.2 has it. */
  readonly introspect: (token: string) => Promise<JsonObject>
  /** The scopes that every token must have. */
  readonly scopes: readonly string[]
  /** The scopes that single tools need. */
  readonly toolScopes: readonly string[]
}

/** How long an answer is used, in milliseconds. It is asked for less than a second, so that a revoked token is soon refused. */
const reuseMs = 500

/** How long callers wait when the storage of tokens does not answer, in milliseconds. */
const retryMs = 1_000

/**
 * Creates the step from a token of the server to its caller.
 *
 * @param audience the URLs of the endpoint without a tenant, one of which is the audience of a token
 */
export function createServerTokens(
  { introspect, ...server }: TokenServerOptions,
  audience: readonly string[],
  tenants: readonly TenantAccess[],
  log: Log,
): JudgeToken {
  const now = Date.now
  const unasked = createPacedWarning(
    log,
    'the authorization server of this gateway cannot be asked about a token',
    'tokens',
  )
  const issuer = { ...server, audience, algorithms: [] }
  const judge = createClaimsJudge(issuer, createMembership(audience, tenants, 'to members'))
  return createTokenCache(async (token) => {
    try {
      return judgeAnswer({ issuer: server.issuer, judge, now, reuseMs }, await introspect(token))
    } catch (error) {
      unasked(reasonWithCauses(error))
      return { kind: 'no_keys', retryAfterMs: retryMs }
    }
  }, now)
}
