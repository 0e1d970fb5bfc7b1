import { type Gateway, startGateway } from '@junctor/interop-tool'
import { freePort } from '@junctor/testkit'
import { type Administration, administrationAt } from './keycloak/administration.ts'
import { makeRealm, type Realm, type RegisteredClient } from './keycloak/make-realm.ts'
import type { Keycloak } from './keycloak/start-keycloak.ts'

/** A provider with two realms, and gateways that take tokens of the first one. */
export interface Scene {
  readonly administration: Administration
  readonly acme: Realm
  /** Another issuer at the same provider. */
  readonly foreign: Realm
  /** A gateway that checks signed tokens itself. Its endpoint is that of the tenant `default`. */
  readonly gateway: Gateway
  /** A gateway that asks the issuer about every token. */
  readonly asking: Gateway
  close(): Promise<void>
}

/** The tenants of a gateway, and who belongs to them. */
function tenantsWith(backends: readonly string[]): object {
  return {
    default: { backends },
    acme: { backends, members: { claim: 'groups', values: ['acme'] } },
    other: { backends, members: { claim: 'groups', values: ['other'] } },
  }
}

function endpointAt(port: number): string {
  return `http://127.0.0.1:${port}/mcp`
}

/** Makes the realms and starts the gateways. */
export async function makeScene({ url }: Keycloak): Promise<Scene> {
  const administration = administrationAt(url)
  const [port, askingPort] = [await freePort(), await freePort()]
  const [endpoint, askingEndpoint] = [endpointAt(port), endpointAt(askingPort)]
  const scopes = [
    { name: 'mcp', audience: endpoint },
    { name: 'asked', audience: askingEndpoint, isAsked: true },
    { name: 'asked-acme', audience: `${askingEndpoint}/acme`, isAsked: true },
    { name: 'sums' },
  ]
  const acme = await makeRealm(administration, { url, name: 'acme', scopes })
  const foreign = await makeRealm(administration, { url, name: 'foreign', scopes })
  const gateway = await startGateway(
    { demo: { plugin: '@junctor/plugin-demo' } },
    {
      listen: { http: { port } },
      auth: { issuer: acme.issuer, audience: endpoint, scopes: ['mcp'], toolScopes: { 'demo:add': 'sums' } },
      tenants: tenantsWith(['demo']),
    },
  )
  const asking = await startGateway(
    {
      demo: { plugin: '@junctor/plugin-demo' },
      // Behind the gateway, a server whose tokens come from the same realm.
      behind: {
        url: endpoint,
        auth: { clientCredentials: { issuer: acme.issuer, ...credentialsOf(acme.robot) } },
      },
    },
    {
      listen: { http: { port: askingPort } },
      auth: {
        issuer: acme.issuer,
        audience: askingEndpoint,
        introspection: { url: introspectionOf(acme), ...credentialsOf(acme.asking), signed: true },
      },
      tenants: tenantsWith(['demo', 'behind']),
    },
  )
  return {
    administration,
    acme,
    foreign,
    gateway,
    asking,
    async close() {
      await asking.close()
      await gateway.close()
    },
  }
}

function introspectionOf({ issuer }: Realm): string {
  return `${issuer}/protocol/openid-connect/token/introspect`
}

function credentialsOf({ id, secret }: RegisteredClient): { readonly clientId: string; readonly clientSecret: string } {
  return { clientId: id, clientSecret: secret }
}
