import {
  type Challenge,
  type Emit,
  emitNothing,
  type Head,
  type Identity,
  type Log,
  type Seal,
  silentLog,
  type Tenant,
} from '@junctor/contracts'
import { andThen } from '@junctor/primitives'
import type { JsonObject } from '@junctor/jsonrpc'
import { mcpProfile, type Profile } from '@junctor/protocol'
import type { ApiKey } from './api-keys/api-key.ts'
import { type BoundCaller, createCallerJudge, type JudgedCaller } from './caller-judge.ts'
import type { CredentialsStatus } from './credentials-watch.ts'
import type { IssuerKeys } from './tokens/issuer-keys.ts'
import type { IssuerOptions } from './tokens/issuer-options.ts'
import { createIssuerTokens } from './tokens/issuer-tokens.ts'
import type { TenantAccess } from './membership.ts'
import { createProofJudge, createUsedProofs, type ProofStore, type UsedProofs } from './proof-of-possession.ts'
import { audiencesOf, createProtectedResources, type ResourceOptions } from './protected-resources.ts'
import type { Guidance } from './refusal-answers.ts'
import { createTokenKeeper } from './tokens/token-keeper.ts'
import { createServerTokens, type TokenServerOptions } from './tokens/token-server.ts'
import { ReportedRefusals, type Unproven } from './reported-refusals.ts'

/** What an authenticator judges by. */
export interface AuthenticatorOptions {
  /** All tenants. The path without a tenant belongs to the tenant `default`, if there is one. */
  readonly tenants: readonly TenantAccess[]
  /**
   * The format of refusals where no tenant is known: it does not exist, or the caller may not use it. Default: `mcp`.
   */
  readonly profile?: Profile
  /**
   * Keys that callers may present. With any key or an issuer, every caller except one on stdio must present
   * credentials.
   */
  readonly apiKeys?: readonly ApiKey[]
  /** The issuer whose signed tokens callers may present, besides keys. */
  readonly issuer?: IssuerOptions | undefined
  /** An authorization server of this gateway, in place of an issuer. It needs `resource`. */
  readonly server?: TokenServerOptions | undefined
  /** What the endpoints are for the issuer. Default: clients must know where they get a token. */
  readonly resource?: ResourceOptions | undefined
  /** Remembers the proofs of bound tokens, for all nodes. Default: this authenticator remembers them alone. */
  readonly proofs?: ProofStore
  /** Without keys and issuer: admits callers from other machines too, at every tenant. Default: false. */
  readonly anonymous?: boolean
  /** Seals the tokens of callers for backends that take them. Default: identities have no tokens. */
  readonly seal?: Seal
  /** Default: a log that discards every message. */
  readonly log?: Log
  /** Receives the events about refused callers and the issuer's keys. Default: events are discarded. */
  readonly emit?: Emit
}

/**
 * Identifies the caller and the tenant from what is known before a body is read. It is the only place where principals
 * are created: each identity is verified, and everything unknown gets a challenge.
 */
export interface Authenticator {
  /**
   * Returns the answer synchronously, so that a call costs no turn of the event loop. Returns a promise, which never
   * rejects, only when a signature must be checked.
   */
  authenticate(head: Head): Identity | Challenge | Promise<Identity | Challenge>
  /** Judges credentials that were good before, for what stays open. Nothing is reported. */
  standing(head: Head): CredentialsStatus | Promise<CredentialsStatus>
  /**
   * The metadata of an endpoint as a protected resource (RFC 9728). `undefined`: no issuer is configured, or the public URL
   * is not known.
   *
   * @param path of the request for them, which tells whether the endpoint is one of HTTP+SSE
   */
  metadata(name: string | undefined, path?: string): JsonObject | undefined
  /**
   * Creates the authenticator for other options, as the replacement of this one. It keeps the known keys when the
   * issuer stays the same, so that a change of tenants does not depend on the issuer. Throws like
   * `createAuthenticator`; then this authenticator stays in use.
   */
  renew(options: AuthenticatorOptions): Authenticator
  /** Cancels reads from the issuer. Idempotent. */
  close(): void
}

/**
 * Creates the authenticator for API keys, for the tokens of an issuer, for both, or for neither. A peer on stdio
 * started the gateway and is admitted without credentials. When no credentials are configured, a peer on this machine
 * is admitted too. Throws `CONFIG_INVALID` for a key or an issuer that can never be used.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  return authenticatorWith(options, { keys: undefined, proofs: createUsedProofs(options.proofs) })
}

function authenticatorWith(options: AuthenticatorOptions, { keys: known, proofs }: Known): Authenticator {
  const { apiKeys = [], issuer, anonymous = false, profile = mcpProfile, log = silentLog, emit = emitNothing } = options
  const tenants = new Map(options.tenants.map(({ tenant }): [string, Tenant] => [tenant.name, tenant]))
  const { resource, server } = options
  const { scopes = [] } = issuer ?? server ?? {}
  const source = (issuer ?? server)?.issuer
  const resources = source && resource && createProtectedResources(resource, source, scopes)
  const guide = (head: Head): Guidance => ({
    resource: resources ? resources(head.tenant, head.target?.path) : undefined,
    scopes,
    oauth: server?.endpoints,
  })
  const refusals = new ReportedRefusals(tenants, profile, guide, emit)
  const tokens =
    issuer && createIssuerTokens({ issuer: forEndpoints(issuer, resource), tenants: options.tenants, known, log, emit })
  const own = server && resource && createServerTokens(server, audiencesOf(resource.base), options.tenants, log)
  const judge = createCallerJudge({
    access: options.tenants,
    apiKeys,
    anonymous,
    judgeToken: tokens?.judge ?? own,
    withToken: createTokenKeeper(options.tenants, options.seal),
  })
  const judgeProof = createProofJudge({ base: resource?.base, now: Date.now, used: proofs })

  return {
    authenticate(head) {
      const caller = judge(head)
      // Most callers are known at once, and need no proof.
      if ('kind' in caller && caller.kind === 'identity') return caller
      return andThen(caller, (judged) => (judged.kind === 'bound' ? proven(head, judged) : answered(head, judged)))
    },
    standing: (head) => andThen(judge(head), standingOf),
    metadata: (name, path) => (resources ? resources(name, path).metadata : undefined),
    renew: (next) => authenticatorWith(next, { keys: tokens?.keys, proofs }),
    close: () => tokens?.keys.close(),
  }

  function answered(head: Head, judged: Identity | Unproven): Identity | Challenge {
    return judged.kind === 'identity' ? judged : refusals.answer(head, judged)
  }

  async function proven(head: Head, { bound, judged }: BoundCaller): Promise<Identity | Challenge> {
    const proof = await judgeProof(head, bound)
    if (proof === 'unknown') return answered(head, { kind: 'unnoted' })
    return answered(head, proof === 'good' ? judged : { kind: 'refused', fault: 'proof' })
  }
}

/** What a replacement takes over. */
interface Known {
  readonly keys: IssuerKeys | undefined
  readonly proofs: UsedProofs
}

/** An authorization server that does not answer has not withdrawn anything. */
function standingOf(judged: JudgedCaller): CredentialsStatus {
  // A proof is of one request, and that one was good.
  const { kind } = judged.kind === 'bound' ? judged.judged : judged
  if (kind === 'identity') return 'good'
  return kind === 'no_keys' ? 'unknown' : 'withdrawn'
}

/** Tokens for the URL of an endpoint are for this gateway, whatever else is configured (RFC 8707). */
function forEndpoints(issuer: IssuerOptions, resource: ResourceOptions | undefined): IssuerOptions {
  if (resource === undefined) return issuer
  return { ...issuer, audience: [...new Set([...issuer.audience, ...audiencesOf(resource.base)])] }
}
