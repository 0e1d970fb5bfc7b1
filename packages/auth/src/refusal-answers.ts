import type { Challenge, Head } from '@junctor/contracts'
import { proofAlgorithms } from './proof-of-possession.ts'
import type { ProtectedResource } from './protected-resources.ts'
import {
  bearerChallenge,
  type ErrorDetails,
  headers,
  isRevision,
  type Profile,
  type Situation,
  wireError,
} from '@junctor/protocol'

/** The fault of the received credentials, as a code of RFC 6750 and as a text of ours. */
export interface CredentialsProblem {
  readonly error: 'invalid_token' | 'invalid_request' | 'insufficient_scope' | 'invalid_dpop_proof'
  /** Printable ASCII without quotes and backslashes (RFC 6750 section 3). */
  readonly description: string
  /** The client has to prove that it has the key of its token (RFC 9449 section 7.1). */
  readonly wantsProof?: true
}

/** Where a client gets a token, and with which scopes. */
export interface Guidance {
  /** The metadata of the endpoint (RFC 9728 section 5.1). `undefined`: no authorization server is known. */
  readonly resource: ProtectedResource | undefined
  readonly scopes: readonly string[]
  /** The endpoints of the authorization server, which the profile `saas` names in the error. Undefined: they are not known. */
  readonly oauth: OAuthEndpoints | undefined
}

/** The endpoints of an authorization server, by their names in its metadata (RFC 8414). */
export interface OAuthEndpoints {
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly registration_endpoint: string
}

/**
 * Creates the challenge that asks for credentials, with the fault of the received credentials, if any. Good credentials
 * without a required scope are 403 (RFC 6750 section 3.1).
 */
export function unauthenticated(
  head: Head,
  profile: Profile,
  { resource, scopes, oauth }: Guidance,
  problem: CredentialsProblem | undefined,
): Challenge {
  const lacksScope = problem?.error === 'insufficient_scope'
  const situation = lacksScope ? 'forbidden' : 'unauthenticated'
  const details = detailsOf(profile, lacksScope, oauth, problem)
  const parameters = {
    ...(problem !== undefined && { error: problem.error, error_description: problem.description }),
    ...(resource !== undefined && scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(resource !== undefined && { resource_metadata: resource.metadataUrl }),
  }
  return {
    ...refusalFor(situation, head, profile, details),
    status: lacksScope ? 403 : 401,
    headers: {
      [headers.wwwAuthenticate]:
        problem?.wantsProof === true ? proofChallenge(parameters) : bearerChallenge(parameters),
    },
  }
}

/**
 * The document of the profile `saas` prints one error for all that can be wrong with credentials. The header says what
 * is wrong.
 */
function detailsOf(
  { errors }: Profile,
  lacksScope: boolean,
  oauth: OAuthEndpoints | undefined,
  problem: CredentialsProblem | undefined,
): ErrorDetails {
  const isPrinted = errors === 'saas' && !lacksScope
  return {
    ...(problem !== undefined && !isPrinted && { message: problem.description }),
    ...(oauth !== undefined && errors === 'saas' && { data: { oauth: { ...oauth } } }),
  }
}

function proofChallenge(parameters: Readonly<Record<string, string>>): string {
  return bearerChallenge({ ...parameters, algs: proofAlgorithms.join(' ') }).replace('Bearer', 'DPoP')
}

/** Creates the refusal for credentials that cannot be judged at the moment, through no fault of theirs. */
export function unjudged(head: Head, profile: Profile, retryAfterMs: number): Challenge {
  const details = {
    message: 'Tokens cannot be verified at the moment, because their issuer does not answer as expected',
  }
  return {
    ...refusalFor('overloaded', head, profile, details),
    status: 503,
    headers: { [headers.retryAfter]: String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
  }
}

/** Creates the refusal for a proof of which it cannot be determined now whether it was used before, at any node. */
export function unnoted(head: Head, profile: Profile): Challenge {
  return {
    ...refusalFor('fabric_unavailable', head, profile),
    status: 503,
    headers: { [headers.retryAfter]: '1' },
  }
}

/** Creates the refusal for a tenant that does not exist or that the caller may not use: both get the same answer. */
export function unknownTenant(head: Head, profile: Profile): Challenge {
  return { ...refusalFor('unknown_tenant', head, profile), status: 404, headers: {} }
}

/** No revision is negotiated before the caller is known, but a client of 2026-07-28 names it in a header. */
function refusalFor(
  situation: Situation,
  head: Head,
  profile: Profile,
  details?: ErrorDetails,
): Omit<Challenge, 'status' | 'headers'> {
  const named = head.header(headers.protocolVersion)
  const revision = isRevision(named) ? named : undefined
  const error = wireError(situation, { revision, dialect: '2.0', profile }, details)
  return { kind: 'challenge', situation, error, nullId: profile.nullId(revision) }
}
