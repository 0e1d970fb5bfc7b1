import { hash } from 'node:crypto'
import type { Store } from '@junctor/plugin-sdk/link'
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import type { AuthServerConfig } from '../config.ts'
import { judgeAssertion } from './judge-assertion.ts'
import type { AssertionVerifier } from './verify-assertion.ts'

/** The grant of RFC 7523 section 2.1, with which clients send identity assertions. */
export const assertionGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** Whether any issuer of assertions is configured. */
export function takesAssertions({ issuers }: Pick<AuthServerConfig, 'issuers'>): boolean {
  return Object.keys(issuers).length > 0
}

/** The mark of tokens that were given for an assertion, with the name of its issuer behind it. */
const mark = 'assertion:'

/** The account of a person whom an issuer of assertions knows. No name of a user in the file begins like this. */
function accountOf(issuer: string, subject: string): string {
  return `${issuer}:${subject}`
}

/** The name of the issuer whose assertion a token was given for. `undefined`: it was given for a login. */
export function assertionIssuer(grantType: string | undefined): string | undefined {
  return grantType?.startsWith(mark) === true ? grantType.slice(mark.length) : undefined
}

export interface AssertionGrantParts {
  readonly config: AuthServerConfig
  readonly issuer: string
  readonly verifier: Pick<AssertionVerifier, 'verify'>
  /** The assertions that were used. Its records live as long as an assertion may. */
  readonly used: Store<true>
}

/**
 * Lets clients exchange identity assertions of an enterprise (ID-JAG) for tokens: the extension
 * `io.modelcontextprotocol/enterprise-managed-authorization`. No refresh token is given: the client asks its identity
 * provider again.
 */
export function registerAssertionGrant(provider: Provider, parts: AssertionGrantParts): void {
  provider.registerGrantType(
    assertionGrant,
    async (context) => {
      context.body = await answer(context, provider, parts)
    },
    ['assertion', 'scope', 'resource'],
  )
}

async function answer(
  context: KoaContextWithOIDC,
  provider: Provider,
  { config, issuer, verifier, used }: AssertionGrantParts,
): Promise<object> {
  const { client, params = {} } = context.oidc
  // A party that has found an assertion must not be able to use it.
  if (client === undefined || client.clientAuthMethod === 'none')
    throw new errors.InvalidClient('a client has to authenticate to use an assertion')
  if (context.get('dpop') !== '') throw new errors.InvalidRequest('tokens for assertions are not bound to keys')
  const { assertion } = params
  const verified = typeof assertion === 'string' ? await verifier.verify(assertion) : undefined
  if (verified === undefined) throw new errors.InvalidGrant('the assertion is not valid here')
  const verdict = judgeAssertion(verified.claims, {
    issuer,
    clientId: client.clientId,
    resource: textOf(params['resource']),
    scope: textOf(params['scope']),
    allowed: config.clients[client.clientId]?.scopes ?? config.scopes,
  })
  if (verdict.kind === 'refused') throw refusalOf(verdict)
  const mine = hash('sha256', JSON.stringify([verified.issuer, verdict.jti]), 'hex')
  if ((await used.put(mine, true, 0)) === 'conflict') throw new errors.InvalidGrant('the assertion was used before')
  const scope = verdict.scopes.join(' ')
  const token = new provider.AccessToken({
    accountId: accountOf(verified.issuer, verdict.subject),
    client,
    // There is no consent behind it, but each token must have a mark of its own.
    grantId: mine,
    gty: `${mark}${verified.issuer}`,
    scope,
  })
  token.setAudience(verdict.resource)
  const value = await token.save()
  return { access_token: value, token_type: token.tokenType, expires_in: token.expiration, scope }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function refusalOf({ error, why }: { readonly error: string; readonly why: string }): errors.OIDCProviderError {
  if (error === 'invalid_target') return new errors.InvalidTarget(why)
  return error === 'invalid_scope' ? new errors.InvalidScope(why, '') : new errors.InvalidGrant(why)
}
