import { randomBytes } from 'node:crypto'
import { JunctorError } from '@junctor/protocol'
import { generateRandomCodeVerifier } from 'oauth4webapi'
import * as z from 'zod'
import { authorizationUrl, finishAuthorization, refreshTokens, revokeToken } from '../oauth/authorization-code.ts'
import { readChallenge } from '../oauth/challenge.ts'
import { discover, type ProtectedServer, readAuthorizationServer } from '../oauth/discover.ts'
import type { OAuthClient } from '../oauth/oauth-client.ts'
import type { OAuthHttp } from '../oauth/oauth-http.ts'
import { unitedScopes } from '../oauth/scopes.ts'
import { guardToken, oauthErrorOf } from '../oauth/token-failure.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { chooseClient, type ClientChoice, forgetClient } from './choose-client.ts'
import { clientOfGrant, type Grant, type StoredClient, storedClient, storedClientSchema } from './grant.ts'
import type { Person } from '@junctor/plugin-sdk'
import { personSchema } from './person.ts'
import type { SingleUse } from './single-use.ts'

/** A person whose browser was sent to an authorization server. */
export type PendingConsent = {
  readonly person: Person
  /** The name to show for the person. */
  readonly label: string
  readonly verifier: string
  readonly issuer: string
  readonly resource: string
  readonly scope: string | null
  readonly client: StoredClient
  /** The hash of the cookie of the browser that began. */
  readonly browser: string
}

/** Reads a pending consent from the store. */
export const pendingSchema: z.ZodType<PendingConsent> = z.object({
  person: personSchema,
  label: z.string(),
  verifier: z.string(),
  issuer: z.string(),
  resource: z.string(),
  scope: z.string().nullable(),
  client: storedClientSchema,
  browser: z.string(),
})

/** The server that the gateway is to act at, and how people are sent to its authorization server and back. */
export interface ConsentOptions {
  readonly serverUrl: string
  /** The authorization server of the configuration. Default: the one that the server names. */
  readonly issuer: string | undefined
  /** The scopes of the configuration. Default: those that the server asks for. */
  readonly scope: string | undefined
  readonly redirectUri: string
  readonly clients: ClientChoice
  readonly pending: SingleUse<PendingConsent>
  readonly http: OAuthHttp
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** The result of a browser's return. */
type ConsentEnd =
  | { readonly kind: 'granted'; readonly person: Person; readonly label: string; readonly grant: Grant }
  | { readonly kind: 'denied'; readonly error: string | undefined }
  /** The state is not known, was used, or belongs to another browser. */
  | { readonly kind: 'unknown' }

/** Sends the one request that uses the refresh token, which takes ten seconds at most, and returns the new tokens. */
export type SendRefresh = () => Promise<Tokens>

/** The steps with which a person lets the gateway act at a server (OAuth 2.1, section 4.1). All reject with a JunctorError. */
export interface Consent {
  /** Returns the URL to which the browser is sent. */
  begin(who: Pick<PendingConsent, 'person' | 'label' | 'browser'>, scope: string | undefined): Promise<string>
  /** @param browser the hash of the cookie of the browser */
  finish(parameters: URLSearchParams, browser: string | undefined): Promise<ConsentEnd>
  /**
   * Gets ready to renew a grant at its issuer. May be called more often than the grant is renewed. Rejects with `invalid_grant`
   * when the issuer is not where it was. The error of sending it is `invalid_grant` too when the issuer does not know the
   * registration of the gateway any more, with which the grant was made.
   */
  prepareRefresh(grant: Grant): Promise<SendRefresh>
  /** Tells the issuer that a grant has ended. Never rejects. */
  revoke(grant: Grant): Promise<void>
}

interface MadeBy {
  readonly server: ProtectedServer
  readonly client: OAuthClient
}

/** Creates the steps for one server. */
export function createConsent(options: ConsentOptions): Consent {
  const { serverUrl, http, redirectUri, pending, clients, now } = options

  /** The server of a grant. Its tokens go to the issuer that made them, whatever the server names now. */
  async function madeBy({ issuer, resource, client }: Pick<Grant, 'issuer' | 'resource' | 'client'>): Promise<MadeBy> {
    const authorizationServer = await readAuthorizationServer(issuer, serverUrl, http)
    // The secret of the configuration is for the issuer of the configuration.
    const isFormer = options.issuer !== undefined && options.issuer !== issuer
    const own = clientOfGrant(client, isFormer ? undefined : clients.configured)
    return { server: { resource, scope: undefined, issuer, authorizationServer }, client: own }
  }

  return {
    begin: (who, wanted) =>
      guardToken(async () => {
        const challenge = readChallenge(await http.challenge(serverUrl))
        const server = await discover({ serverUrl, issuer: options.issuer, challenge }, http)
        const client = await chooseClient(clients, server.authorizationServer)
        const scope = unitedScopes(options.scope ?? challenge.scope ?? server.scope, wanted)
        const [state, verifier] = [randomBytes(32).toString('base64url'), generateRandomCodeVerifier()]
        const url = await authorizationUrl({ server, client, redirectUri, scope, state, verifier })
        const { resource, issuer } = server
        const made = { issuer, resource, client: storedClient(client) }
        await pending.put(state, { ...who, ...made, verifier, scope: scope ?? null })
        return url
      }),
    finish: (parameters, browser) =>
      guardToken(async () => {
        const state = parameters.get('state') ?? ''
        const known = await pending.look(state)
        // A state that was stolen is of no use in another browser, and stays for the right one.
        if (known === undefined || browser !== known.browser) return { kind: 'unknown' }
        const taken = await pending.take(state)
        if (taken === undefined) return { kind: 'unknown' }
        const { person, label, verifier, issuer, resource, scope, client } = taken
        const made = await madeBy(taken)
        const request = { ...made, redirectUri, scope: scope ?? undefined, state, verifier }
        const answer = await asClient(clients, made, () => finishAuthorization(request, parameters, { http, now }))
        if (answer.kind === 'denied') return answer
        const { tokens, account } = answer
        const grant = { tokens, issuer, resource, account, scope, client, since: now() }
        return { kind: 'granted', person, label, grant }
      }),
    prepareRefresh: (grant) =>
      guardToken(async () => {
        const made = await madeBy(grant).catch(failGone)
        const refreshToken = grant.tokens.refreshToken ?? ''
        return () => asClient(clients, made, () => refreshTokens({ ...made, refreshToken }, { http, now }))
      }),
    async revoke(grant) {
      try {
        const { server, client } = await madeBy(grant)
        const { refreshToken, accessToken } = grant.tokens
        await revokeToken(server.authorizationServer, client, refreshToken ?? accessToken, http)
      } catch {
        // The issuer cannot be reached. The gateway has forgotten the grant anyway.
      }
    },
  }
}

/**
 * Sends a request of a client. A registration that the server does not know is forgotten, and the grants that it made
 * are over.
 */
async function asClient<Result>(
  clients: ClientChoice,
  { server, client }: MadeBy,
  send: () => Promise<Result>,
): Promise<Result> {
  try {
    return await send()
  } catch (error) {
    const isUnknown = oauthErrorOf(error) === 'invalid_client'
    if (!isUnknown || !(await forgetClient(clients, server.authorizationServer, client))) throw error
    const text = 'The authorization server does not know the gateway any more'
    throw new JunctorError('BACKEND_REFUSED', text, { cause: 'invalid_grant' })
  }
}

/** The metadata of an issuer are missing, or another's: nobody renews its grants. */
function failGone(error: unknown): never {
  if (!(error instanceof JunctorError) || error.code !== 'BACKEND_REFUSED') throw error
  throw new JunctorError('BACKEND_REFUSED', error.message, { cause: 'invalid_grant' })
}
