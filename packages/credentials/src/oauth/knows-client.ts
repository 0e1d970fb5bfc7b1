import { randomBytes } from 'node:crypto'
import {
  type AuthorizationServer,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
} from 'oauth4webapi'
import { clientAuthFor, clientOf, type OAuthClient } from './oauth-client.ts'
import type { OAuthHttp } from './oauth-http.ts'

/**
 * Whether an authorization server still knows a client. It is asked with a refresh token that nobody has: a server that does
 * not know the client says so before it reads the token (RFC 6749, section 5.2). After any other answer, or none, it may.
 */
export async function knowsClient(server: AuthorizationServer, client: OAuthClient, http: OAuthHttp): Promise<boolean> {
  const [known, nobodys] = [clientOf(client), randomBytes(32).toString('base64url')]
  try {
    const auth = clientAuthFor(client, server)
    await processRefreshTokenResponse(
      server,
      known,
      await refreshTokenGrantRequest(server, known, auth, nobodys, http.options),
    )
  } catch (error) {
    return !(error instanceof ResponseBodyError && error.error === 'invalid_client')
  }
  return true
}
