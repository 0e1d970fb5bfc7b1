import type { Challenge, Head, Identity, Log, Tell, Tenant } from '@junctor/contracts'
import { andThen } from '@junctor/primitives'
import { silentLog, tellNobody } from '@junctor/contracts'
import { headers, mcpProfile, type Profile } from '@junctor/protocol'
import type { ApiKey } from './api-key.ts'
import { bearerToken } from './bearer-token.ts'
import { type Caller, callerAt } from './caller.ts'
import { DEFAULT_TENANT } from './default-tenant.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import type { IssuerOptions } from './issuer-options.ts'
import { createIssuerTokens } from './issuer-tokens.ts'
import { createKeyCallers } from './key-callers.ts'
import type { TenantAccess } from './membership.ts'
import { principalOf } from './principal.ts'
import { Refusals } from './refusals.ts'
import { createTokenHashes } from './token-hashes.ts'
import type { TokenVerdict } from './verify-token.ts'

export interface AuthenticatorOptions {
  /** Every tenant. The plain path is the tenant `default`, if there is one. */
  readonly tenants: readonly TenantAccess[]
  /** What refusals look like where no tenant is known: there is none of that name, or it is not the caller's. Default: `mcp`. */
  readonly profile?: Profile
  /** Keys that callers may present. With any, or an issuer, every caller but one on stdio has to present something. */
  readonly apiKeys?: readonly ApiKey[]
  /** Whose signed tokens callers may present, besides keys. */
  readonly issuer?: IssuerOptions | undefined
  /** Without keys and issuer: lets in callers from other machines too, at every tenant. Default: false. */
  readonly anonymous?: boolean
  /** Default: nowhere. */
  readonly log?: Log
  /** Hears of callers that were not let in, and of the issuer's keys. Default: nobody. */
  readonly tell?: Tell
}

/**
 * Tells who calls and where, from what is known before a body is read. The only place where principals are made: no
 * identity leaves here that was not vouched for, and whatever is not understood is a challenge.
 */
export interface Authenticator {
  /**
   * Synchronous, so that a call costs no turn of the event loop; a promise, which never rejects, only when a signature
   * has to be checked.
   */
  authenticate(head: Head): Identity | Challenge | Promise<Identity | Challenge>
  /**
   * The authenticator for other options, in place of this one. It goes on with the keys that are known when the issuer
   * stays the same, so that no change of tenants needs an issuer that answers. Throws as `createAuthenticator` does, and
   * this one stays in use then.
   */
  renew(options: AuthenticatorOptions): Authenticator
  /** Ends what it reads from the issuer. Idempotent. */
  close(): void
}

/**
 * Makes the authenticator for API keys, for the tokens of an issuer, for both, or for neither. A peer on stdio is
 * whoever started the gateway, and is let in without credentials; so is, when none are configured, a peer on this
 * machine. Throws `CONFIG_INVALID` for a key or an issuer that could never be used.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  return authenticatorWith(options, undefined)
}

function authenticatorWith(options: AuthenticatorOptions, known: IssuerKeys | undefined): Authenticator {
  const { apiKeys = [], issuer, anonymous = false, profile = mcpProfile, log = silentLog, tell = tellNobody } = options
  const tenants = new Map(options.tenants.map(({ tenant }): [string, Tenant] => [tenant.name, tenant]))
  const refusals = new Refusals(tenants, profile, tell)
  const local = callerAt(principalOf('local', 'local'), tenants.values())
  const stranger = callerAt(principalOf('anonymous', 'anonymous'), tenants.values())
  const keyCallers = createKeyCallers(apiKeys, tenants)
  const tokens = issuer && createIssuerTokens({ issuer, tenants: options.tenants, known, log, tell })
  const hashOf = createTokenHashes()
  const wantsCredentials = keyCallers.size > 0 || tokens !== undefined

  return {
    authenticate(head) {
      if (head.transport === 'stdio') return identityAt(local, head)
      if (wantsCredentials) return byCredentials(head)
      if (head.loopback) return identityAt(local, head)
      return anonymous ? identityAt(stranger, head) : refusals.missing(head)
    },
    renew: (next) => authenticatorWith(next, tokens?.keys),
    close: () => tokens?.keys.close(),
  }

  function byCredentials(head: Head): Identity | Challenge | Promise<Identity | Challenge> {
    const authorization = head.header(headers.authorization)
    if (authorization === undefined) return refusals.missing(head)
    const token = bearerToken(authorization)
    if (token === undefined) return refusals.notBearer(head)
    const hash = hashOf(token)
    const caller = keyCallers.get(hash)
    if (caller !== undefined) return identityAt(caller, head)
    if (tokens === undefined) return refusals.unknownKey(head)
    return andThen(tokens.judge(token, hash), (verdict) => byVerdict(verdict, head))
  }

  function byVerdict(verdict: TokenVerdict, head: Head): Identity | Challenge {
    if (verdict.kind === 'caller') return identityAt(verdict.caller, head)
    if (verdict.kind === 'no_keys') return refusals.noKeys(head, verdict.retryAfterMs)
    // What is no token was meant to be a key, where there are any.
    const isKey = verdict.fault === 'malformed' && keyCallers.size > 0
    return isKey ? refusals.unknownKey(head) : refusals.badToken(head, verdict.fault)
  }

  function identityAt(caller: Caller, head: Head): Identity | Challenge {
    return caller.get(head.tenant ?? DEFAULT_TENANT) ?? refusals.notAMember(head)
  }
}
