import type { Challenge, Head } from '@junctor/exchange'
import { type ErrorDetails, headers, isRevision, type Profile, type Situation, wireError } from '@junctor/protocol'

/** Asks for credentials. `error` is RFC 6750's word for what is wrong with those that came, if any came. */
export function unauthenticated(head: Head, profile: Profile, error?: 'invalid_token' | 'invalid_request'): Challenge {
  const parameters = error === undefined ? '' : ` error="${error}", error_description="${descriptions[error]}"`
  return {
    kind: 'challenge',
    status: 401,
    error: errorFor('unauthenticated', head, profile, error === undefined ? {} : { message: descriptions[error] }),
    headers: { [headers.wwwAuthenticate]: `Bearer${parameters}` },
  }
}

const descriptions = {
  invalid_token: 'The API key is not known here',
  invalid_request: 'Authorization must be a bearer token',
} as const

/** There is no such tenant, or not for this caller: the answer is the same. */
export function unknownTenant(head: Head, profile: Profile): Challenge {
  return { kind: 'challenge', status: 404, error: errorFor('unknown_tenant', head, profile), headers: {} }
}

/** Nothing is negotiated before a caller is known, but a client of 2026-07-28 says so in a header. */
function errorFor(situation: Situation, head: Head, profile: Profile, details?: ErrorDetails): Challenge['error'] {
  const named = head.header(headers.protocolVersion)
  const revision = isRevision(named) ? named : undefined
  return wireError(situation, { revision, dialect: '2.0', profile }, details)
}
