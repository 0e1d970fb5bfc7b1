import type { JsonObject } from '@junctor/plugin-sdk/link'
import type { Provider } from 'oidc-provider'
import { assertionIssuer } from '../assertions/assertion-grant.ts'
import type { AuthServerConfig } from '../config.ts'
import type { People } from '../users/people.ts'

const inactive: JsonObject = { active: false }

/** The claims that the server itself sets. The claims of a user never replace them. */
interface OwnClaims {
  readonly aud: string | undefined
  readonly scope: string | undefined
  readonly client_id: string | undefined
  readonly exp: number | undefined
  readonly cnf: { readonly jkt: string } | undefined
}

/** What decides whether a token is active, and what its claims are. */
interface IntrospectionParts {
  readonly provider: Provider
  readonly people: People
  readonly clients: AuthServerConfig['clients']
  readonly issuers: AuthServerConfig['issuers']
}

/** Returns the introspection response for a token (RFC 7662 section 2.2), from the records of all nodes. */
export async function introspect(
  { provider, people, clients, issuers }: IntrospectionParts,
  token: string,
): Promise<JsonObject> {
  const found = await provider.AccessToken.find(token)
  if (found !== undefined) {
    const asserted = assertionIssuer(found.gty)
    if (asserted !== undefined) {
      // When an issuer was removed from the configuration, the tokens of its people are not active.
      const known = issuers[asserted]
      return known === undefined
        ? inactive
        : answer({ ...known.claims, sub: found.accountId }, provider.issuer, ownClaims(found))
    }
    const person = await people.find(found.accountId)
    const grant = await provider.Grant.find(found.grantId)
    // The person was removed from the configuration, must log in again, or has withdrawn the consent.
    if (person === undefined || grant === undefined) return inactive
    return answer({ ...person.claims, sub: found.accountId }, provider.issuer, ownClaims(found))
  }
  const service = await provider.ClientCredentials.find(token)
  const client = clients[service?.clientId ?? '']
  if (service === undefined || client === undefined) return inactive
  return answer(client.claims, provider.issuer, ownClaims(service))
}

/** The fields of a token that become claims. */
interface TokenRecord {
  readonly aud?: string | readonly string[] | undefined
  readonly scope?: string | undefined
  readonly clientId?: string | undefined
  readonly exp?: number | undefined
  readonly jkt?: string | undefined
}

function ownClaims({ aud, scope, clientId, exp, jkt }: TokenRecord): OwnClaims {
  return {
    aud: typeof aud === 'string' ? aud : undefined,
    scope,
    client_id: clientId,
    exp,
    cnf: jkt === undefined ? undefined : { jkt },
  }
}

function answer(claims: Readonly<Record<string, unknown>>, iss: string, own: OwnClaims): JsonObject {
  const all = { ...claims, ...own, iss, active: true }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as JsonObject
}
