import { defaultTenant, type Profile } from '@junctor/protocol'
import type { AccessEvent, Challenge, Head, Emit, Tenant } from '@junctor/contracts'
import {
  type CredentialsProblem,
  type Guidance,
  unauthenticated,
  unjudged,
  unknownTenant,
  unnoted,
} from './refusal-answers.ts'
import { longestAuthorization } from './tokens/shown-token.ts'
import { type TokenFault, tokenFaults } from './tokens/token-fault.ts'
import type { TokenVerdict } from './tokens/token-verdict.ts'

/** Why a caller is not let in. */
export type Unproven =
  | Exclude<TokenVerdict, { kind: 'caller' }>
  | { readonly kind: 'missing' }
  /** The credentials are of an unknown kind. */
  | { readonly kind: 'not_bearer' }
  | { readonly kind: 'unknown_key' }
  /** It cannot be determined now whether its proof was used before. */
  | { readonly kind: 'unnoted' }
  /** The tenant does not exist, or the caller may not use it. */
  | { readonly kind: 'not_a_member' }

type RefusalReason = Extract<AccessEvent, { kind: 'access_refused' }>['reason']

const notBearer: CredentialsProblem = {
  error: 'invalid_request',
  description: `Authorization must be a bearer token, in a header of at most ${longestAuthorization} characters`,
}

const unknownKey: CredentialsProblem = { error: 'invalid_token', description: 'The API key is not known here' }

/** Creates the challenges for callers that are refused, and reports each refusal as an event. */
export class ReportedRefusals {
  readonly #tenants: ReadonlyMap<string, Tenant>
  readonly #unplaced: Profile
  readonly #guide: (head: Head) => Guidance
  readonly #emit: Emit

  /**
   * @param unplaced the profile of refusals where no tenant is known
   * @param guide returns what a client needs for a token
   */
  constructor(tenants: ReadonlyMap<string, Tenant>, unplaced: Profile, guide: (head: Head) => Guidance, emit: Emit) {
    this.#tenants = tenants
    this.#unplaced = unplaced
    this.#guide = guide
    this.#emit = emit
  }

  /** Returns the answer for a caller that is not let in. */
  answer(head: Head, unproven: Unproven): Challenge {
    if (unproven.kind === 'not_bearer') return this.#refuse(head, 'malformed', notBearer)
    if (unproven.kind === 'unknown_key') return this.#refuse(head, 'unknown_key', unknownKey)
    if (unproven.kind === 'refused') return this.#refuseToken(head, unproven.fault)
    if (unproven.kind === 'missing') return this.#refuse(head, 'missing')
    if (unproven.kind === 'unnoted') return this.#unnoted(head)
    this.#report(head, unproven.kind)
    // A foreign tenant looks like one that does not exist: the answer reveals nothing about it, not even its profile.
    if (unproven.kind === 'not_a_member') return unknownTenant(head, this.#unplaced)
    return unjudged(head, this.#profileAt(head), unproven.retryAfterMs)
  }

  #unnoted(head: Head): Challenge {
    this.#report(head, 'no_proofs')
    return unnoted(head, this.#profileAt(head))
  }

  #refuseToken(head: Head, fault: TokenFault): Challenge {
    if (fault === 'proof') {
      const description = tokenFaults[fault]
      return this.#refuse(head, 'invalid_token', { error: 'invalid_dpop_proof', description, wantsProof: true })
    }
    const error = fault === 'scope' ? 'insufficient_scope' : 'invalid_token'
    return this.#refuse(head, fault === 'expired' ? 'expired' : error, { error, description: tokenFaults[fault] })
  }

  #refuse(head: Head, reason: RefusalReason, problem?: CredentialsProblem): Challenge {
    this.#report(head, reason)
    return unauthenticated(head, this.#profileAt(head), this.#guide(head), problem)
  }

  /** Reports a refusal. The name of an unknown tenant is left out, because a listener may keep a table of tenants. */
  #report(head: Head, reason: RefusalReason): void {
    const named = head.tenant ?? defaultTenant
    const tenant = this.#tenants.has(named) ? named : ''
    this.#emit({ kind: 'access_refused', transport: head.transport, tenant, reason })
  }

  #profileAt(head: Head): Profile {
    return this.#tenants.get(head.tenant ?? defaultTenant)?.profile ?? this.#unplaced
  }
}
