import { isEndpoint } from '../provider/server-paths.ts'

/** The claims of an identity assertion (ID-JAG) whose signature, type, issuer, audience and times are right. */
export interface AssertionClaims {
  readonly sub?: unknown
  readonly aud?: unknown
  readonly jti?: unknown
  readonly client_id?: unknown
  readonly resource?: unknown
  readonly scope?: unknown
  readonly iat?: unknown
  readonly exp?: unknown
}

/** The request in which an assertion came. */
export interface AssertionRequest {
  /** The issuer of this server. */
  readonly issuer: string
  /** The client that has authenticated. */
  readonly clientId: string
  /** The endpoint that the client asks for. `undefined`: it names none. */
  readonly resource: string | undefined
  /** The scopes that the client asks for. `undefined`: it names none. */
  readonly scope: string | undefined
  /** The scopes that this client may have. */
  readonly allowed: readonly string[]
}

/** The scopes and the resource of an accepted assertion, or why it was refused. */
export type AssertionVerdict =
  | {
      readonly kind: 'granted'
      readonly subject: string
      readonly jti: string
      readonly resource: string
      readonly scopes: readonly string[]
    }
  | {
      readonly kind: 'refused'
      readonly error: 'invalid_grant' | 'invalid_target' | 'invalid_scope'
      readonly why: string
    }

/** The longest time that an assertion may be valid, in seconds. Its identifier is remembered that long. */
export const longestSeconds: number = 60 * 60

/**
 * Judges a verified assertion by the request that it came with (Identity Assertion Authorization Grant, section "Processing
 * Rules"). It must be for this client and for an endpoint of this gateway. The token gets only scopes that the assertion has
 * and the client asks for.
 */
export function judgeAssertion(
  { sub, aud, jti, client_id: clientId, resource: named, scope: given, iat, exp }: AssertionClaims,
  request: AssertionRequest,
): AssertionVerdict {
  if (!isText(sub) || !isText(jti)) return refused('invalid_grant', 'expected the claims sub and jti')
  if (aud !== request.issuer) return refused('invalid_grant', 'expected this server as the only audience')
  if (clientId !== request.clientId) return refused('invalid_grant', 'the assertion was issued to another client')
  if (typeof iat !== 'number' || typeof exp !== 'number' || exp - iat > longestSeconds) {
    return refused('invalid_grant', `expected an assertion that is valid for at most ${longestSeconds} s`)
  }
  if (named !== undefined && !isText(named)) return refused('invalid_grant', 'expected one resource')
  if (given !== undefined && typeof given !== 'string') return refused('invalid_grant', 'expected scope as a text')
  const resource = request.resource ?? named ?? `${request.issuer}/mcp`
  if (named !== undefined && named !== resource)
    return refused('invalid_target', 'the assertion is for another resource')
  if (!isEndpoint(request.issuer, resource)) return refused('invalid_target', 'it is no endpoint of this gateway')
  const scopes = request.allowed.filter((scope) => includes(request.scope, scope) && includes(given, scope))
  if (scopes.length === 0) return refused('invalid_scope', 'the assertion gives none of these scopes')
  return { kind: 'granted', subject: sub, jti, resource, scopes }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function includes(scopes: string | undefined, scope: string): boolean {
  return scopes === undefined || scopes.split(' ').includes(scope)
}

function refused(error: Extract<AssertionVerdict, { kind: 'refused' }>['error'], why: string): AssertionVerdict {
  return { kind: 'refused', error, why }
}
