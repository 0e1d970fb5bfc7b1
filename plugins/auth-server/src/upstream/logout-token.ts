import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose'

/** The member of `events` in a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** How long after its issue a logout token is accepted, in seconds. Its `jti` is remembered that long. */
export const logoutTokenSeconds: number = 10 * 60

/** How much the clocks of a provider and this server may differ, in seconds. */
const toleranceSeconds = 30

/** The person whom a logout token is about, or why it is refused. */
export type LogoutVerdict =
  | { readonly kind: 'logout'; readonly subject: string; readonly jti: string }
  | { readonly kind: 'refused'; readonly problem: string }

/** What a logout token is checked against. */
export interface LogoutTokenRules {
  readonly issuer: string
  readonly clientId: string
  /** The algorithms of the provider's ID tokens. Undefined: RS256. */
  readonly algorithms: readonly string[] | undefined
}

/**
 * Verifies a logout token (section 2.6): signature, issuer, audience and times, then the other claims.
 *
 * @throws an error when the keys of the provider cannot be read
 */
export async function verifyLogoutToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, clientId, algorithms = ['RS256'] }: LogoutTokenRules,
): Promise<LogoutVerdict> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      // Everybody who may read a shared secret could sign with it.
      algorithms: algorithms.filter((algorithm) => !/^(?:HS|none)/.test(algorithm)),
      requiredClaims: ['iat', 'exp', 'jti'],
      maxTokenAge: logoutTokenSeconds,
      clockTolerance: toleranceSeconds,
    })
    return judgeLogoutClaims(payload)
  } catch (error) {
    const isOfToken = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)
    if (isOfToken) return refused(error.code)
    throw error
  }
}

/** Judges the claims of a logout token whose signature, issuer, audience and times are right. */
export function judgeLogoutClaims({ sub, jti, nonce, events }: JWTPayload): LogoutVerdict {
  const isLogout = typeof events === 'object' && events !== null && isObject((events as JWTPayload)[logoutEvent])
  if (!isLogout) return refused('expected the event of a logout')
  // Otherwise an ID token might be accepted.
  if (nonce !== undefined) return refused('expected no nonce')
  if (typeof sub !== 'string' || sub === '') return refused('expected sub: a session alone (sid) cannot be ended')
  if (typeof jti !== 'string' || jti === '') return refused('expected jti')
  return { kind: 'logout', subject: sub, jti }
}

/** Creates the function that finds the keys of a provider, which it reads with `read`. */
export function logoutKeys(jwksUri: string, read: (url: string) => Promise<Response | undefined>): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(jwksUri), {
    [customFetch]: async (url) => (await read(url)) ?? new Response(null, { status: 404 }),
  })
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(problem: string): LogoutVerdict {
  return { kind: 'refused', problem }
}
