import type { Challenge, Head } from '@junctor/contracts'
import { type ErrorDetails, headers, isRevision, type Profile, type Situation, wireError } from '@junctor/protocol'

/** What is wrong with the credentials that came, in RFC 6750's words and in ours. */
export interface CredentialsProblem {
  readonly error: 'invalid_token' | 'invalid_request'
  /** Printable ASCII without quotes and backslashes (RFC 6750 section 3). */
  readonly description: string
}

/** Asks for credentials, and says what is wrong with those that came, if any came. */
export function unauthenticated(head: Head, profile: Profile, problem?: CredentialsProblem): Challenge {
  const details = problem === undefined ? {} : { message: problem.description }
  const parameters = problem === undefined ? {} : { error: problem.error, error_description: problem.description }
  return {
    kind: 'challenge',
    status: 401,
    situation: 'unauthenticated',
    error: errorFor('unauthenticated', head, profile, details),
    headers: { [headers.wwwAuthenticate]: bearerChallenge(parameters) },
  }
}

/** A challenge of the scheme Bearer (RFC 6750 section 3). */
function bearerChallenge(parameters: Readonly<Record<string, string>>): string {
  const list = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)
  return list.length === 0 ? 'Bearer' : `Bearer ${list.join(', ')}`
}

/** The credentials cannot be judged for now: no fault of theirs. */
export function unjudged(head: Head, profile: Profile, retryAfterMs: number): Challenge {
  const details = { message: 'Tokens cannot be verified at the moment, because the keys of their issuer are not known' }
  return {
    kind: 'challenge',
    status: 503,
    situation: 'overloaded',
    error: errorFor('overloaded', head, profile, details),
    headers: { [headers.retryAfter]: String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
  }
}

/** There is no such tenant, or not for this caller: the answer is the same. */
export function unknownTenant(head: Head, profile: Profile): Challenge {
  const situation = 'unknown_tenant'
  return { kind: 'challenge', status: 404, situation, error: errorFor(situation, head, profile), headers: {} }
}

/** Nothing is negotiated before a caller is known, but a client of 2026-07-28 says so in a header. */
function errorFor(situation: Situation, head: Head, profile: Profile, details?: ErrorDetails): Challenge['error'] {
  const named = head.header(headers.protocolVersion)
  const revision = isRevision(named) ? named : undefined
  return wireError(situation, { revision, dialect: '2.0', profile }, details)
}
