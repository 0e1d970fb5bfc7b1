import type { AccessTokens } from '@junctor/contracts'
import { clientCredentialsGrantRequest, processClientCredentialsResponse } from 'oauth4webapi'
import { discover } from '../oauth/discover.ts'
import type { Challenge } from '../oauth/challenge.ts'
import { clientAuthFor, clientOf, type OAuthClient } from '../oauth/oauth-client.ts'
import type { OAuthHttp } from '../oauth/oauth-http.ts'
import { guardToken } from '../oauth/token-failure.ts'
import { unitedScopes } from '../oauth/scopes.ts'
import { type Tokens, tokensOf } from '../oauth/tokens.ts'
import { createMachineTokens } from './machine-tokens.ts'

/** How the gateway gets tokens of its own for one server. */
export interface ClientCredentialsOptions {
  readonly serverUrl: string
  readonly client: OAuthClient
  /** The scopes to ask for, separated by spaces. Default: those that the server names. */
  readonly scope: string | undefined
  /** The authorization server. Default: the one that the server names. */
  readonly issuer: string | undefined
  readonly http: OAuthHttp
  /** Epoch milliseconds. */
  readonly now: () => number
}

/**
 * The tokens of the gateway itself, by its client credentials (RFC 6749, section 4.4; the extension
 * `io.modelcontextprotocol/oauth-client-credentials`).
 */
export function createClientCredentials(options: ClientCredentialsOptions): AccessTokens {
  const { serverUrl, client, issuer, http, now } = options

  const fetch = (challenge: Challenge, wanted: string | undefined): Promise<Tokens> =>
    guardToken(async () => {
      // It is read each time: a server may have moved to another authorization server.
      const { authorizationServer, resource, scope: offered } = await discover({ serverUrl, issuer, challenge }, http)
      const scope = unitedScopes(options.scope ?? (wanted === undefined ? offered : undefined), wanted)
      const parameters = new URLSearchParams({ resource, ...(scope !== undefined && { scope }) })
      const known = clientOf(client)
      const auth = clientAuthFor(client, authorizationServer)
      const answer = await clientCredentialsGrantRequest(authorizationServer, known, auth, parameters, http.options)
      return tokensOf(await processClientCredentialsResponse(authorizationServer, known, answer), now())
    })

  return createMachineTokens({ fetch, isKnown: issuer !== undefined, now })
}
