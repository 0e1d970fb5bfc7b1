/** The paths of the authorization server of a gateway. */
export interface OAuthPaths {
  readonly authorize: string
  readonly token: string
  readonly register: string
  readonly revoke: string
  /** Of the metadata of the gateway as a protected resource. */
  readonly resource: string
}

/** What a gateway is for the world outside. */
export interface GatewaySite {
  /** The URL under which clients reach it, without a slash at its end. Undefined: it is not configured. */
  readonly publicUrl: string | undefined
  readonly oauthPaths: OAuthPaths
}

/** The paths when the configuration names no others. */
export const defaultOAuthPaths: OAuthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  resource: '/oauth/resource',
}
