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

/** The beginning of the grant type of tokens for assertions. The name of the issuer follows. */
const grantTypePrefix = 'assertion:'

/** The account name of a person of an issuer of assertions. No name of a user in the file begins like this. */
function accountOf(issuer: string, subject: string): string {
  return `${issuer}:${subject}`
}

/** The name of the issuer whose assertion led to a token. `undefined`: a login led to it. */
export function assertionIssuer(grantType: string | undefined): string | undefined {
  return grantType?.startsWith(grantTypePrefix) === true ? grantType.slice(grantTypePrefix.length) : undefined
}

/** What checks an assertion, and where used ones are remembered, so that each is taken once. */
export interface AssertionGrantParts {
  readonly config: AuthServerConfig
  readonly issuer: string
  readonly verifier: Pick<AssertionVerifier, 'verify'>
  /** The used assertions. Its records live as long as an assertion can be valid. */
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
  // So that nobody can use an assertion of another client.
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
  const assertionId = hash('sha256', JSON.stringify([verified.issuer, verdict.jti]), 'hex')
  if ((await used.put(assertionId, true, 0)) === 'conflict')
    throw new errors.InvalidGrant('the assertion was used before')
  const scope = verdict.scopes.join(' ')
  const token = new provider.AccessToken({
    accountId: accountOf(verified.issuer, verdict.subject),
    client,
    // There is no grant, but each token needs an id of its own here.
    grantId: assertionId,
    gty: `${grantTypePrefix}${verified.issuer}`,
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
