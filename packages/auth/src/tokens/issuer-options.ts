import { secureUrl } from '@junctor/connection'
import { JunctorError } from '@junctor/protocol'

/** Where an authorization server says what a token is that only it can read (RFC 7662). */
export interface Introspection {
  /** HTTPS, or HTTP on this machine. */
  readonly url: string
  /** The gateway, as the authorization server knows it. */
  readonly clientId: string
  readonly clientSecret: string
  /** How long an answer is used, in milliseconds: so long a revoked token still works. */
  readonly reuseMs: number
  /** Whether it is asked about signed tokens too, after their signature was checked. */
  readonly signed: boolean
}

/** An authorization server whose signed tokens are accepted, as configured. */
export interface IssuerOptions {
  /**
   * The required value of `iss`, compared exactly: HTTPS, or HTTP on this machine; no query, no fragment (RFC 8414
   * section 2).
   */
  readonly issuer: string
  /**
   * The accepted values of `aud`, compared exactly. A value followed by `/` and the name of a tenant is accepted too.
   */
  readonly audience: readonly string[]
  /** The accepted signature algorithms: names of RFC 7518 and RFC 8037, only asymmetric ones. */
  readonly algorithms: readonly string[]
  /** The URL of its keys (RFC 7517). Absent: the URL in its metadata. */
  readonly jwksUri?: string | undefined
  /** The scopes that every token must have (RFC 6749 section 3.3). Default: none. */
  readonly scopes?: readonly string[]
  /** The scopes that single tools need. Identities have those of their tokens. Default: none, and identities have no scopes. */
  readonly toolScopes?: readonly string[]
  /** For tokens that are not signed texts, or for all. Absent: those that are not signed are refused. */
  readonly introspection?: Introspection | undefined
  /** The required value of the `typ` header, such as `at+jwt` (RFC 9068). Absent: any value. */
  readonly type?: string | undefined
}

/** With a symmetric algorithm, anyone who knows the public key could sign. */
const asymmetric: ReadonlySet<string> = new Set(
  'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' '),
)

/** Throws `CONFIG_INVALID` for an issuer that can never be used, or not safely. */
export function assertUsableIssuer({ issuer, audience, algorithms, jwksUri, introspection }: IssuerOptions): void {
  const url = secureUrl(issuer)
  if (url === undefined || url.search !== '' || url.hash !== '') {
    throw invalid('issuer', 'an https URL without query, fragment and credentials (http only on this machine)', issuer)
  }
  if (jwksUri !== undefined && secureUrl(jwksUri) === undefined) {
    throw invalid('jwksUri', 'an https URL without credentials (http only on this machine)', jwksUri)
  }
  if (introspection !== undefined && secureUrl(introspection.url) === undefined) {
    throw invalid('introspection', 'an https URL without credentials (http only on this machine)', introspection.url)
  }
  if (audience.length === 0 || audience.includes('')) {
    throw invalid('audience', 'at least one audience, none of them empty', audience.join(', '))
  }
  const foreign = algorithms.find((name) => !asymmetric.has(name))
  if (foreign !== undefined || algorithms.length === 0) {
    throw invalid('algorithms', `at least one of ${[...asymmetric].join(', ')}`, foreign ?? '')
  }
}

function invalid(option: string, expected: string, got: string): JunctorError {
  return new JunctorError('CONFIG_INVALID', `auth.issuer: ${option} must be ${expected}, got "${got}"`)
}
