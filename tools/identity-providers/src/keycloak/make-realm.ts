import { redirectUrl } from '@junctor/testkit'
import type { Administration } from './administration.ts'

/** The password of everyone. */
export const password = 'correct horse battery'

/** A client that is registered by hand, with its secret. */
export interface RegisteredClient {
  readonly id: string
  readonly secret: string
}

/** What a realm has for the checks. */
export interface Realm {
  readonly issuer: string
  /** A program of its own, with a service account: it may have `mcp`. */
  readonly robot: RegisteredClient
  /** The same, with tokens that are only a reference (`lightweight`). */
  readonly light: RegisteredClient
  /** The gateway, when it asks about tokens. */
  readonly asking: RegisteredClient
  /** The id of a client for people that is registered by hand, and gets no refresh tokens. */
  readonly person: string
}

/** A client scope, and what it puts into tokens. */
export interface ScopeOfRealm {
  readonly name: string
  /** Absent: the scope is for no one in particular. */
  readonly audience?: string
  /** Whether the gateway may ask about tokens with it. Keycloak answers only clients that are in `aud`. */
  readonly isAsked?: boolean
}

/** The clients that gateways are, and people have. */
const [gatewayId, personId] = ['junctor', 'person'] as const

/**
 * Makes a realm as docs/identity-providers.md describes it: client scopes with an audience, groups in tokens, and
 * policies under which clients of this machine may register. `ada` is in the group `acme`, `bob` in none.
 */
export async function makeRealm(
  administration: Administration,
  { url, name, scopes }: { readonly url: string; readonly name: string; readonly scopes: readonly ScopeOfRealm[] },
): Promise<Realm> {
  await administration.create('', { realm: name, enabled: true, sslRequired: 'none' })
  for (const scope of scopes) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await addScope(administration, name, scope)
  }
  await administration.create(`/${name}/groups`, { name: 'acme' })
  await addUser(administration, name, 'ada', ['acme'])
  await addUser(administration, name, 'bob', [])
  await trustThisMachine(administration, name)
  const robot = await addRobot(administration, name, 'robot')
  const light = await addRobot(administration, name, 'light', { 'client.use.lightweight.access.token.enabled': 'true' })
  const asking = await addRobot(administration, name, gatewayId)
  await addClientOfPeople(administration, name)
  return { issuer: `${url}/realms/${name}`, robot, light, asking, person: personId }
}

/** An optional scope of all clients, which is in `scope` of tokens, with mappers for the audience and for groups. */
async function addScope(
  administration: Administration,
  realm: string,
  { name, audience, isAsked = false }: ScopeOfRealm,
): Promise<void> {
  const everywhere = { 'access.token.claim': 'true', 'introspection.token.claim': 'true' }
  const id = await administration.create(`/${realm}/client-scopes`, {
    name,
    protocol: 'openid-connect',
    attributes: { 'include.in.token.scope': 'true' },
    protocolMappers: [
      ...(audience === undefined
        ? []
        : [mapper('audience', 'oidc-audience-mapper', { ...everywhere, 'included.custom.audience': audience })]),
      ...(isAsked
        ? [mapper('asking', 'oidc-audience-mapper', { ...everywhere, 'included.client.audience': gatewayId })]
        : []),
      mapper('groups', 'oidc-group-membership-mapper', {
        ...everywhere,
        'claim.name': 'groups',
        'full.path': 'false',
      }),
    ],
  })
  await administration.replace(`/${realm}/default-optional-client-scopes/${id}`, {})
}

function mapper(name: string, protocolMapper: string, config: object): object {
  return { name, protocol: 'openid-connect', protocolMapper, config }
}

async function addUser(
  administration: Administration,
  realm: string,
  username: string,
  groups: readonly string[],
): Promise<void> {
  await administration.create(`/${realm}/users`, {
    username,
    // Without these the first login asks for them.
    email: `${username}@example.com`,
    firstName: username,
    lastName: 'Example',
    enabled: true,
    emailVerified: true,
    groups: [...groups],
    credentials: [{ type: 'password', value: password, temporary: false }],
  })
}

/** Lets clients register themselves that have this machine as their host. */
async function trustThisMachine(administration: Administration, realm: string): Promise<void> {
  const type = 'org.keycloak.services.clientregistration.policy.ClientRegistrationPolicy'
  const policies = (await administration.read(`/${realm}/components?type=${type}`)) as readonly {
    readonly id: string
    readonly providerId: string
    readonly config: object
  }[]
  const policy = policies.find(({ providerId }) => providerId === 'trusted-hosts')
  if (policy === undefined) throw new Error('Expected a policy for trusted hosts')
  await administration.replace(`/${realm}/components/${policy.id}`, {
    ...policy,
    config: { ...policy.config, 'trusted-hosts': ['127.0.0.1', 'localhost'] },
  })
}

async function addRobot(
  administration: Administration,
  realm: string,
  clientId: string,
  attributes: object = {},
): Promise<RegisteredClient> {
  const id = await administration.create(`/${realm}/clients`, {
    clientId,
    protocol: 'openid-connect',
    publicClient: false,
    serviceAccountsEnabled: true,
    standardFlowEnabled: false,
    attributes,
  })
  return { id: clientId, secret: await administration.secretOf(realm, id) }
}

/** Version 1 of the SDK asks for no further scope while it has a refresh token, so this client gets none. */
async function addClientOfPeople(administration: Administration, realm: string): Promise<void> {
  await administration.create(`/${realm}/clients`, {
    clientId: personId,
    protocol: 'openid-connect',
    publicClient: true,
    redirectUris: [redirectUrl],
    attributes: { 'use.refresh.tokens': 'false', 'pkce.code.challenge.method': 'S256' },
  })
}
