import { JunctorError } from '@junctor/protocol'
import {
  authorizationCodeGrantRequest,
  AuthorizationResponseError,
  type AuthorizationServer,
  calculatePKCECodeChallenge,
  getValidatedIdTokenClaims,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  revocationRequest,
  validateAuthResponse,
} from 'oauth4webapi'
import type { ProtectedServer } from './discover.ts'
import { clientAuthFor, clientOf, type OAuthClient } from './oauth-client.ts'
import type { OAuthHttp } from './oauth-http.ts'
import { unitedScopes } from './scopes.ts'
import { guardToken } from './token-failure.ts'
import { type Tokens, tokensOf } from './tokens.ts'

/** What a person's browser is sent to an authorization server with. */
export interface AuthorizationRequest {
  readonly server: ProtectedServer
  readonly client: OAuthClient
  readonly redirectUri: string
  /** Separated by spaces. */
  readonly scope: string | undefined
  readonly state: string
  /** The secret of PKCE (RFC 7636). */
  readonly verifier: string
}

/**
 * The URL to which a browser is sent for a grant (OAuth 2.1, section 4.1; RFC 8707).
 *
 * @throws JunctorError `BACKEND_REFUSED` when the server does not support PKCE with S256
 */
export async function authorizationUrl(request: AuthorizationRequest): Promise<string> {
  const { server, client, redirectUri, state, verifier } = request
  const { authorizationServer } = server
  const { authorization_endpoint: endpoint, code_challenge_methods_supported: methods } = authorizationServer
  if (endpoint === undefined) throw refused('it has no page where people agree')
  if (methods?.includes('S256') !== true) throw refused('it does not name S256 among its PKCE methods')
  // Where a server has this scope, it issues no refresh token without it.
  const offline =
    authorizationServer.scopes_supported?.includes('offline_access') === true ? 'offline_access' : undefined
  const scope = unitedScopes(request.scope, offline)
  const url = new URL(endpoint)
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: server.resource,
    ...(scope !== undefined && { scope }),
    // OpenID Connect Core, section 11: offline access needs consent each time.
    ...(offline !== undefined && { prompt: 'consent' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** What a browser has brought back. */
export type AuthorizationAnswer =
  | {
      readonly kind: 'tokens'
      readonly tokens: Tokens
      /** The subject of the ID token. Undefined: there is none. */
      readonly account: string | undefined
    }
  /** The person or the server has refused. `error` is one of RFC 6749, section 4.1.2.1, or `undefined`. */
  | { readonly kind: 'denied'; readonly error: string | undefined }

/**
 * Exchanges the code that a browser has brought for tokens. `iss` and `state` are checked (RFC 9207). Rejects with a
 * JunctorError.
 */
export async function finishAuthorization(
  { server, client, redirectUri, state, verifier }: AuthorizationRequest,
  parameters: URLSearchParams,
  { http, now }: { readonly http: OAuthHttp; readonly now: () => number },
): Promise<AuthorizationAnswer> {
  const { authorizationServer, resource } = server
  let checked: URLSearchParams
  try {
    checked = validateAuthResponse(authorizationServer, clientOf(client), parameters, state)
  } catch (error) {
    if (error instanceof AuthorizationResponseError) return { kind: 'denied', error: codeOf(error.error) }
    throw refused('its answer is not one to the request')
  }
  return guardToken(async () => {
    const answer = await authorizationCodeGrantRequest(
      authorizationServer,
      clientOf(client),
      clientAuthFor(client, authorizationServer),
      checked,
      redirectUri,
      verifier,
      { ...http.options, additionalParameters: { resource } },
    )
    const read = await processAuthorizationCodeResponse(authorizationServer, clientOf(client), answer)
    const account = getValidatedIdTokenClaims(read)?.sub
    return { kind: 'tokens', tokens: tokensOf(read, now()), account } as const
  })
}

/** Renews tokens (RFC 6749, section 6). A server that issues no new refresh token keeps the old one. */
export function refreshTokens(
  { server, client, refreshToken }: { server: ProtectedServer; client: OAuthClient; refreshToken: string },
  { http, now }: { readonly http: OAuthHttp; readonly now: () => number },
): Promise<Tokens> {
  const { authorizationServer, resource } = server
  return guardToken(async () => {
    const auth = clientAuthFor(client, authorizationServer)
    const answer = await refreshTokenGrantRequest(authorizationServer, clientOf(client), auth, refreshToken, {
      ...http.options,
      additionalParameters: { resource },
    })
    const tokens = tokensOf(await processRefreshTokenResponse(authorizationServer, clientOf(client), answer), now())
    return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken }
  })
}

/** Tells the server that a token is not used any more (RFC 7009), if it wants to know. Never rejects. */
export async function revokeToken(
  server: AuthorizationServer,
  client: OAuthClient,
  token: string,
  http: OAuthHttp,
): Promise<void> {
  if (server.revocation_endpoint === undefined) return
  const auth = clientAuthFor(client, server)
  await revocationRequest(server, clientOf(client), auth, token, http.options).catch(() => undefined)
}

function codeOf(error: string): string | undefined {
  return /^[a-z_]{1,50}$/.test(error) ? error : undefined
}

function refused(problem: string): JunctorError {
  return new JunctorError('BACKEND_REFUSED', `The authorization server cannot be used: ${problem}`)
}
