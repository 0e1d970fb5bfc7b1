import { errors } from 'jose'

/** The faults of a token, with the description that its bearer receives. It reveals nothing of the token. */
export const tokenFaults = {
  malformed: 'Expected a JSON Web Token of the issuer of this gateway',
  algorithm: 'The token is signed with an algorithm that is not accepted here',
  unknown_key: 'The token is signed with a key that the issuer does not publish',
  ambiguous_key:
    'The issuer publishes several keys that fit this token: each key needs its own kid, and the token must name one',
  signature: 'The signature of the token is not valid',
  type: 'The token is of another type than is accepted here',
  issuer: 'The token is of another issuer',
  audience: 'The token is not meant for this gateway',
  lifetime: 'The token does not say when it expires',
  expired: 'The token has expired',
  early: 'The token is not valid yet',
  subject: 'The token does not say who its bearer is',
  inactive: 'The authorization server does not know this token, or it is revoked',
  confirmation: 'The token is bound to its client in a way that cannot be checked here',
  proof: 'The token needs a fresh proof of its key for this request',
  unbound: 'The token is not bound to a key: it is a bearer token',
  scope: 'The token lacks a scope that is required here',
} as const

/** A fault of a token. */
export type TokenFault = keyof typeof tokenFaults

/** The faults for jose's names of a claim, or of the header `typ`, that is missing or wrong. */
const claimFaults: Readonly<Record<string, TokenFault>> = {
  iss: 'issuer',
  exp: 'lifetime',
  nbf: 'early',
  typ: 'type',
}

/** Returns the fault of a token from an error of its verification; undefined for an error that a token cannot cause. */
export function tokenFaultOf(thrown: unknown): TokenFault | undefined {
  if (thrown instanceof errors.JWTExpired) return 'expired'
  if (thrown instanceof errors.JWTClaimValidationFailed) return claimFaults[thrown.claim] ?? 'malformed'
  if (thrown instanceof errors.JOSEAlgNotAllowed) return 'algorithm'
  if (thrown instanceof errors.JWSSignatureVerificationFailed) return 'signature'
  if (thrown instanceof errors.JWKSNoMatchingKey) return 'unknown_key'
  // With several matching keys, a token must name one (OpenID Connect Core section 10.1).
  if (thrown instanceof errors.JWKSMultipleMatchingKeys) return 'ambiguous_key'
  return thrown instanceof errors.JOSEError ? 'malformed' : undefined
}
