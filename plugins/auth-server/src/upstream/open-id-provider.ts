import { createOAuthHttp, judgeUrl, type OAuthHttp } from '@junctor/credentials'
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  fetchUserInfo,
} from 'openid-client'
import { logoutKeys, type LogoutVerdict, verifyLogoutToken } from './logout-token.ts'
import { joinClaims, lacksClaims } from './person-claims.ts'
import { providerConfiguration } from './provider-configuration.ts'
import { failureOf, type ProviderFailure } from './provider-failure.ts'
import { isToCome, longestAge, type RecentLogin, recentLoginParameters } from './recent-login.ts'
import type { UpstreamConfig } from './upstream-config.ts'

/** The secrets of one login. */
interface LoginSecrets {
  readonly state: string
  readonly nonce: string
  /** The secret of PKCE (RFC 7636). */
  readonly verifier: string
}

/** The provider's answer to a login. */
type ProviderAnswer =
  | {
      readonly kind: 'person'
      readonly subject: string
      /** When the person has logged in at the provider, in epoch seconds. Undefined: it does not say. */
      readonly authTime: number | undefined
      /** The claims of the person. */
      readonly claims: Readonly<Record<string, unknown>>
    }
  /** The person or the provider has refused. `error` is one of RFC 6749, section 4.1.2.1, or `undefined`. */
  | { readonly kind: 'denied'; readonly error: string | undefined }
  | ProviderFailure

/** A client of an OpenID provider. */
export interface OpenIdProvider {
  /**
   * Returns the URL of the page where people log in.
   *
   * @param maxAge the most seconds since the last login. 0: the person must log in now. Undefined: any
   */
  page(
    secrets: LoginSecrets,
    maxAge: number | undefined,
  ): Promise<{ readonly kind: 'page'; readonly url: string } | ProviderFailure>
  /**
   * Exchanges the code that a browser has brought for the claims of the person. The provider's tokens are not kept.
   *
   * @param recent how recent the login must be. Undefined: any login is accepted
   */
  finish(parameters: URLSearchParams, secrets: LoginSecrets, recent: RecentLogin | undefined): Promise<ProviderAnswer>
  /** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0). */
  logout(token: string): Promise<LogoutVerdict | ProviderFailure>
  /** Closes the connections. */
  close(): Promise<void>
}

/** The longest `sub` of OpenID Connect Core, section 2. */
const longestSubject = 255

/**
 * Creates a client of a provider (OpenID Connect Core, section 3.1). It uses the code flow with PKCE and a nonce, and checks
 * `iss` of the answer (RFC 9207). ID tokens must be signed with a key that the provider publishes.
 *
 * @throws JunctorError `CONFIG_INVALID` when the private key cannot be read
 */
export function createOpenIdProvider(upstream: UpstreamConfig, redirectUri: string): OpenIdProvider {
  const http = createOAuthHttp([upstream.issuer])
  const configurationOf = providerConfiguration(upstream, http)
  return {
    async page({ state, nonce, verifier }, maxAge) {
      try {
        const url = buildAuthorizationUrl(await configurationOf(), {
          redirect_uri: redirectUri,
          scope: ['openid', ...upstream.scopes.filter((scope) => scope !== 'openid')].join(' '),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ...recentLoginParameters(maxAge),
        }).href
        const fault = judgeUrl(url, http.namedHosts)
        return fault === undefined ? { kind: 'page', url } : { kind: 'failed', problem: `its page is ${fault}` }
      } catch (error) {
        return failureOf(error)
      }
    },
    async finish(parameters, { state, nonce, verifier }, recent) {
      try {
        const configuration = await configurationOf()
        const answer = new URL(`${redirectUri}?${parameters.toString()}`)
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(recent !== undefined && { maxAge: longestAge(recent, Date.now()) }),
        }
        const tokens = await authorizationCodeGrant(configuration, answer, checks)
        const claims = tokens.claims()
        if (claims === undefined || claims.sub === '' || claims.sub.length > longestSubject) {
          return { kind: 'failed', problem: 'its ID token has no usable sub' }
        }
        const { auth_time: authTime } = claims
        if (authTime !== undefined && isToCome(authTime, Date.now())) {
          return { kind: 'failed', problem: 'its ID token has an auth_time in the future' }
        }
        const needsMore =
          configuration.serverMetadata().userinfo_endpoint !== undefined &&
          lacksClaims(joinClaims(claims, {}), upstream)
        const more = needsMore ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
        return { kind: 'person', subject: claims.sub, authTime, claims: joinClaims(claims, more) }
      } catch (error) {
        if (error instanceof AuthorizationResponseError) return { kind: 'denied', error: codeOf(error.error) }
        return failureOf(error)
      }
    },
    logout: createLogoutVerifier(upstream, configurationOf, http),
    close: () => http.close(),
  }
}

/** Creates the function that verifies the logout tokens of a provider with the keys in its metadata. */
function createLogoutVerifier(
  { issuer, clientId }: UpstreamConfig,
  configurationOf: () => Promise<Configuration>,
  http: OAuthHttp,
): OpenIdProvider['logout'] {
  let known: { readonly uri: string; readonly keys: ReturnType<typeof logoutKeys> } | undefined
  return async (token) => {
    try {
      const { jwks_uri: uri, id_token_signing_alg_values_supported: algorithms } = (
        await configurationOf()
      ).serverMetadata()
      if (uri === undefined) return { kind: 'failed', problem: 'its metadata name no keys' }
      if (known?.uri !== uri) known = { uri, keys: logoutKeys(uri, (url) => http.document(url)) }
      return await verifyLogoutToken(token, known.keys, { issuer, clientId, algorithms })
    } catch (error) {
      return failureOf(error)
    }
  }
}

/** Only error codes of a provider are shown, and no other text. */
function codeOf(error: string): string | undefined {
  return /^[a-z_]{1,50}$/.test(error) ? error : undefined
}
