import { JunctorError } from '@junctor/protocol'
import {
  genericTokenEndpointRequest,
  processGenericTokenEndpointResponse,
  type TokenEndpointResponse,
} from 'oauth4webapi'
import { readAuthorizationServer } from '../oauth/discover.ts'
import { clientAuthFor, clientOf, type OAuthClient } from '../oauth/oauth-client.ts'
import type { OAuthHttp } from '../oauth/oauth-http.ts'
import { unitedScopes } from '../oauth/scopes.ts'
import { guardToken } from '../oauth/token-failure.ts'
import { tokensOf } from '../oauth/tokens.ts'
import { withoutFragment } from '../oauth/without-fragment.ts'
import type { ObtainTokens } from './exchanged-tokens.ts'
import { judgeIdJag } from './judge-id-jag.ts'
import { type ExchangePlace, requestExchange, tokenTypes } from './request-exchange.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** A server that issues tokens, and the gateway as its client. The operator names both. */
export interface IssuingParty {
  readonly issuer: string
  readonly client: OAuthClient
  /** For requests to this party alone. */
  readonly http: OAuthHttp
}

/** How the tokens of callers are exchanged for identity assertions, and these for tokens of one server. */
export interface AssertionExchangeOptions {
  readonly serverUrl: string
  /** Issues identity assertions for the tokens of callers. */
  readonly identityProvider: IssuingParty
  /** Issues tokens of the server for identity assertions. */
  readonly authorizationServer: IssuingParty
  /** The scopes to ask for, separated by spaces. Default: what the two issue. */
  readonly scope: string | undefined
  /** Epoch milliseconds. */
  readonly now: () => number
}

/**
 * Creates the steps from the token of a caller to a token of the same person for one server, by an identity assertion
 * (ID-JAG; the extension `io.modelcontextprotocol/enterprise-managed-authorization`). Only the identity provider gets the
 * caller's token, and only the authorization server gets the assertion. The answers of the server have no influence on that.
 */
export function createAssertionExchange(options: AssertionExchangeOptions): ObtainTokens {
  const { serverUrl, identityProvider, authorizationServer, now } = options
  const resource = withoutFragment(serverUrl)
  const placeOf = async ({ issuer, client, http }: IssuingParty): Promise<ExchangePlace> => ({
    authorizationServer: await readAuthorizationServer(issuer, serverUrl, http),
    client,
    http,
  })
  return (callerToken, wanted) =>
    guardToken(async () => {
      const scope = unitedScopes(options.scope, wanted)
      const target = { resource, ...(scope !== undefined && { scope }) }
      // Read first: the caller's token is sent nowhere as long as the assertion would be of no use.
      const place = await placeOf(authorizationServer)
      const assertion = await requestIdJag(
        callerToken,
        { ...target, audience: place.authorizationServer.issuer },
        await placeOf(identityProvider),
      )
      const answer = await presentAssertion(assertion, target, place)
      if (answer.access_token === assertion || answer.access_token === callerToken) {
        throw new JunctorError('BACKEND_REFUSED', 'The authorization server issued the same token that it was given')
      }
      return tokensOf(answer, now())
    })
}

/** Exchanges the token of a caller for an identity assertion (Identity Assertion Authorization Grant, "Token Exchange"). */
async function requestIdJag(
  callerToken: string,
  target: Readonly<Record<'audience' | 'resource', string>> & { readonly scope?: string },
  place: ExchangePlace,
): Promise<string> {
  const { access_token: assertion, token_type: type } = await requestExchange(
    {
      subjectToken: callerToken,
      subjectTokenType: tokenTypes.accessToken,
      requestedTokenType: tokenTypes.idJag,
      issued: [tokenTypes.idJag],
      target,
    },
    place,
  )
  const fault = type === 'n_a' ? judgeIdJag(assertion, target.audience) : 'an access token in place of an assertion'
  if (fault !== undefined) throw new JunctorError('BACKEND_REFUSED', `The identity provider issued ${fault}`)
  return assertion
}

/** Presents an identity assertion (RFC 7523, section 2.1). */
async function presentAssertion(
  assertion: string,
  target: Readonly<Record<string, string>>,
  { authorizationServer, client, http }: ExchangePlace,
): Promise<TokenEndpointResponse> {
  const known = clientOf(client)
  const auth = clientAuthFor(client, authorizationServer)
  const parameters = { assertion, ...target }
  const sent = await genericTokenEndpointRequest(authorizationServer, known, auth, grantType, parameters, http.options)
  return processGenericTokenEndpointResponse(authorizationServer, known, sent)
}
