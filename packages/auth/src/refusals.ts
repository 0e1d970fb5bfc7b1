import type { AccessFact, Challenge, Head, Tell, Tenant } from '@junctor/contracts'
import type { Profile } from '@junctor/protocol'
import { type CredentialsProblem, unauthenticated, unjudged, unknownTenant } from './challenges.ts'
import { DEFAULT_TENANT } from './default-tenant.ts'
import { type TokenFault, tokenFaults } from './token-fault.ts'

type RefusalReason = Extract<AccessFact, { kind: 'access_refused' }>['reason']

const notBearer: CredentialsProblem = {
  error: 'invalid_request',
  description: 'Authorization must be a bearer token',
}

const unknownKey: CredentialsProblem = { error: 'invalid_token', description: 'The API key is not known here' }

/** The challenges for callers that are not let in, each of which is told of. */
export class Refusals {
  readonly #tenants: ReadonlyMap<string, Tenant>
  readonly #unplaced: Profile
  readonly #tell: Tell

  /** @param unplaced what refusals look like where no tenant is known */
  constructor(tenants: ReadonlyMap<string, Tenant>, unplaced: Profile, tell: Tell) {
    this.#tenants = tenants
    this.#unplaced = unplaced
    this.#tell = tell
  }

  /** There are no credentials. */
  missing(head: Head): Challenge {
    return this.#refuse(head, 'missing')
  }

  /** The credentials are of no kind that is known. */
  notBearer(head: Head): Challenge {
    return this.#refuse(head, 'malformed', notBearer)
  }

  unknownKey(head: Head): Challenge {
    return this.#refuse(head, 'unknown_key', unknownKey)
  }

  badToken(head: Head, fault: TokenFault): Challenge {
    const problem = { error: 'invalid_token', description: tokenFaults[fault] } as const
    return this.#refuse(head, fault === 'expired' ? 'expired' : 'invalid_token', problem)
  }

  /** The keys that a token would be judged by are not known. */
  noKeys(head: Head, retryAfterMs: number): Challenge {
    this.#told(head, 'no_keys')
    return unjudged(head, this.#profileAt(head), retryAfterMs)
  }

  /** A foreign tenant looks like one that does not exist: nothing of it, not even its profile, shows in the answer. */
  notAMember(head: Head): Challenge {
    this.#told(head, 'not_a_member')
    return unknownTenant(head, this.#unplaced)
  }

  #refuse(head: Head, reason: RefusalReason, problem?: CredentialsProblem): Challenge {
    this.#told(head, reason)
    return unauthenticated(head, this.#profileAt(head), problem)
  }

  /** What a stranger takes for a tenant is not repeated: who hears of it may keep a table of tenants. */
  #told(head: Head, reason: RefusalReason): void {
    const named = head.tenant ?? DEFAULT_TENANT
    const tenant = this.#tenants.has(named) ? named : ''
    this.#tell({ kind: 'access_refused', transport: head.transport, tenant, reason })
  }

  #profileAt(head: Head): Profile {
    return this.#tenants.get(head.tenant ?? DEFAULT_TENANT)?.profile ?? this.#unplaced
  }
}
