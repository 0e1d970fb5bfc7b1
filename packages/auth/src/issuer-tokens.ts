import type { Log, Tell } from '@junctor/contracts'
import { createIssuerKeys, type IssuerKeys } from './issuer-keys.ts'
import { assertUsableIssuer, type IssuerOptions } from './issuer-options.ts'
import { createKeySetSource } from './key-set-source.ts'
import { createMembership, type TenantAccess } from './membership.ts'
import { createTokenCache, type JudgeToken } from './token-cache.ts'
import { createVerifier } from './verify-token.ts'

/** The tokens of one issuer. */
export interface IssuerTokens {
  readonly judge: JudgeToken
  readonly keys: IssuerKeys
}

export interface IssuerTokensOptions {
  readonly issuer: IssuerOptions
  readonly tenants: readonly TenantAccess[]
  /** Keys that were read under earlier options: used on when they are of the same place. */
  readonly known: IssuerKeys | undefined
  readonly log: Log
  readonly tell: Tell
}

/** How long the first callers wait for the keys at most, in milliseconds. */
const KEYS_TIMEOUT_MS = 5_000

/** From a token to its caller: keys, verification and cache, put together. Throws `CONFIG_INVALID`. */
export function createIssuerTokens({ issuer, tenants, known, log, tell }: IssuerTokensOptions): IssuerTokens {
  assertUsableIssuer(issuer)
  const source = createKeySetSource(issuer)
  const options = { source, timeoutMs: KEYS_TIMEOUT_MS, elapsed: () => performance.now(), log, tell }
  const keys = known?.place === source.place ? known : createIssuerKeys(options)
  const membership = createMembership(issuer.audience, tenants)
  const verify = createVerifier({ issuer, findKey: keys.find, membership, now: Date.now, log })
  return { judge: createTokenCache(verify, Date.now), keys }
}
