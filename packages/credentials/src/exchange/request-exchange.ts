import {
  type AuthorizationServer,
  genericTokenEndpointRequest,
  processGenericTokenEndpointResponse,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { clientAuthFor, clientOf, type OAuthClient } from '../oauth/oauth-client.ts'
import type { OAuthHttp } from '../oauth/oauth-http.ts'
import { wrongIssue } from '../oauth/wrong-issue.ts'

/** The types of tokens (RFC 8693, section 3; Identity Assertion Authorization Grant, section "Token Exchange"). */
export const tokenTypes = {
  accessToken: 'urn:ietf:params:oauth:token-type:access_token',
  idJag: 'urn:ietf:params:oauth:token-type:id-jag',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
} as const

const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** What is exchanged, and for what. */
export interface ExchangeRequest {
  readonly subjectToken: string
  readonly subjectTokenType: string
  readonly requestedTokenType: string
  /** The types that the answer may have. */
  readonly issued: readonly string[]
  /** `audience`, `resource` and `scope`, as far as they are asked for. */
  readonly target: Readonly<Record<string, string>>
}

/** Where it is exchanged, and by whom. */
export interface ExchangePlace {
  readonly authorizationServer: AuthorizationServer
  readonly client: OAuthClient
  readonly http: OAuthHttp
}

/**
 * Exchanges a token at an authorization server (RFC 8693, section 2). Rejects with the error of oauth4webapi or of the
 * connection; `guardToken` makes it one that may be shown.
 *
 * @throws JunctorError `BACKEND_REFUSED` when the answer is a token of another type, or the same token
 */
export async function requestExchange(
  { subjectToken, subjectTokenType, requestedTokenType, issued, target }: ExchangeRequest,
  { authorizationServer, client, http }: ExchangePlace,
): Promise<TokenEndpointResponse> {
  const known = clientOf(client)
  const parameters = {
    subject_token: subjectToken,
    subject_token_type: subjectTokenType,
    requested_token_type: requestedTokenType,
    ...target,
  }
  const auth = clientAuthFor(client, authorizationServer)
  const sent = await genericTokenEndpointRequest(authorizationServer, known, auth, grantType, parameters, http.options)
  // `N_A` is the type of a token that is not an access token (section 2.2.1): the caller judges it.
  const recognizedTokenTypes = { n_a: () => undefined }
  const answer = await processGenericTokenEndpointResponse(authorizationServer, known, sent, { recognizedTokenTypes })
  const type = answer['issued_token_type']
  if (typeof type !== 'string' || !issued.includes(type)) throw wrongIssue('a token that is not of the type asked for')
  // The token of a caller is never sent to the server.
  if (answer.access_token === subjectToken) throw wrongIssue('the same token that it was given')
  return answer
}
