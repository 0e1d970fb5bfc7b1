import type { Log, Emit } from '@junctor/contracts'
import { createIssuerKeys, type IssuerKeys } from './issuer-keys.ts'
import { assertUsableIssuer, type IssuerOptions } from './issuer-options.ts'
import { createKeySetSource } from './key-set-source.ts'
import { createIntrospector } from './introspect-token.ts'
import { createClaimsJudge } from './judge-claims.ts'
import { createMembership, type TenantAccess } from '../membership.ts'
import { createTokenCache, type JudgeToken } from './token-cache.ts'
import { createVerifier, type VerifierOptions, type VerifyToken } from './verify-token.ts'

/** The tokens of one issuer. */
export interface IssuerTokens {
  readonly judge: JudgeToken
  readonly keys: IssuerKeys
}

/** An issuer, the tenants that its tokens may open, and what earlier options have read already. */
export interface IssuerTokensOptions {
  readonly issuer: IssuerOptions
  readonly tenants: readonly TenantAccess[]
  /** Keys that were read under earlier options. They are used again when they come from the same source. */
  readonly known: IssuerKeys | undefined
  readonly log: Log
  readonly emit: Emit
}

/** The longest time that the first callers wait for the keys, in milliseconds. */
const keysTimeoutMs = 5_000

/** Combines keys, verification and cache into the step from a token to its caller. Throws `CONFIG_INVALID`. */
export function createIssuerTokens({ issuer, tenants, known, log, emit }: IssuerTokensOptions): IssuerTokens {
  assertUsableIssuer(issuer)
  const source = createKeySetSource(issuer)
  const options = { source, timeoutMs: keysTimeoutMs, elapsed: () => performance.now(), log, emit }
  const keys = known?.place === source.place ? known : createIssuerKeys(options)
  const judge = createClaimsJudge(issuer, createMembership(issuer.audience, tenants))
  const now = Date.now
  const { introspection } = issuer
  const introspect = introspection && createIntrospector({ ...introspection, issuer: issuer.issuer, judge, now, log })
  const judgeSigned: VerifierOptions['judge'] =
    introspect !== undefined && introspection?.signed === true
      ? (_claims, token, wasAccepted) => introspect(token, wasAccepted)
      : judge
  const verify = createVerifier({ issuer, findKey: keys.find, judge: judgeSigned, now, log })
  const check: VerifyToken = (token, wasAccepted) =>
    introspect === undefined || isSigned(token) ? verify(token, wasAccepted) : introspect(token, wasAccepted)
  return { judge: createTokenCache(check, now), keys }
}

/** Whether a token has the form of a signed one (RFC 7515, Compact Serialization). All others are names for the issuer. */
function isSigned(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)
}
