import type { AccessEvent, Challenge, Head, Emit, Tenant } from '@junctor/contracts'
import type { Profile } from '@junctor/protocol'
import { type CredentialsProblem, type Guidance, unauthenticated, unjudged, unknownTenant } from './refusal-answers.ts'
import { defaultTenant } from './default-tenant.ts'
import { type TokenFault, tokenFaults } from './token-fault.ts'

type RefusalReason = Extract<AccessEvent, { kind: 'access_refused' }>['reason']

const notBearer: CredentialsProblem = {
  error: 'invalid_request',
  description: 'Authorization must be a bearer token',
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

  /** Refuses a request without credentials. */
  missing(head: Head): Challenge {
    return this.#refuse(head, 'missing')
  }

  /** Refuses credentials of an unknown kind. */
  notBearer(head: Head): Challenge {
    return this.#refuse(head, 'malformed', notBearer)
  }

  unknownKey(head: Head): Challenge {
    return this.#refuse(head, 'unknown_key', unknownKey)
  }

  badToken(head: Head, fault: TokenFault): Challenge {
    const error = fault === 'scope' ? 'insufficient_scope' : 'invalid_token'
    return this.#refuse(head, fault === 'expired' ? 'expired' : error, { error, description: tokenFaults[fault] })
  }

  /** Refuses a token while the keys to judge it are not known. */
  noKeys(head: Head, retryAfterMs: number): Challenge {
    this.#report(head, 'no_keys')
    return unjudged(head, this.#profileAt(head), retryAfterMs)
  }

  /**
   * Refuses a foreign tenant like a tenant that does not exist: the answer reveals nothing about it, not even its
   * profile.
   */
  notAMember(head: Head): Challenge {
    this.#report(head, 'not_a_member')
    return unknownTenant(head, this.#unplaced)
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
