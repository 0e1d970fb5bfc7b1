import { readAuthorizationServer } from '../oauth/discover.ts'
import type { OAuthClient } from '../oauth/oauth-client.ts'
import type { OAuthHttp } from '../oauth/oauth-http.ts'
import { unitedScopes } from '../oauth/scopes.ts'
import { guardToken } from '../oauth/token-failure.ts'
import { tokensOf } from '../oauth/tokens.ts'
import { withoutFragment } from '../oauth/without-fragment.ts'
import type { ObtainTokens } from './exchanged-tokens.ts'
import { requestExchange, tokenTypes } from './request-exchange.ts'

/** How the tokens of callers are exchanged for tokens of one server. */
export interface TokenExchangeOptions {
  readonly serverUrl: string
  /** The gateway, as the authorization server knows it. */
  readonly client: OAuthClient
  /** The authorization server: the operator names it. */
  readonly issuer: string
  /** The name of the server at the authorization server. Default: its URL is the `resource`. */
  readonly audience: string | undefined
  /** The scopes to ask for, separated by spaces. Default: what the authorization server gives. */
  readonly scope: string | undefined
  readonly http: OAuthHttp
  /** Epoch milliseconds. */
  readonly now: () => number
}

/**
 * Creates the step from the token of a caller to a token of the same person for one server (RFC 8693). Nothing that the server
 * says decides where the caller's token is sent.
 */
export function createTokenExchange(options: TokenExchangeOptions): ObtainTokens {
  const { serverUrl, client, issuer, audience, http, now } = options
  const resource = withoutFragment(serverUrl)
  return (callerToken, wanted) =>
    guardToken(async () => {
      const authorizationServer = await readAuthorizationServer(issuer, serverUrl, http)
      const scope = unitedScopes(options.scope, wanted)
      const answer = await requestExchange(
        {
          subjectToken: callerToken,
          subjectTokenType: tokenTypes.accessToken,
          requestedTokenType: tokenTypes.accessToken,
          issued: [tokenTypes.accessToken, tokenTypes.jwt],
          target: { ...(audience === undefined ? { resource } : { audience }), ...(scope !== undefined && { scope }) },
        },
        { authorizationServer, client, http },
      )
      return tokensOf(answer, now())
    })
}
