import { OAuthMemory, officialClients, PersonWithBrowser, redirectUrl } from '@junctor/testkit'
import { type Check, expectSame } from '../check.ts'
import { password } from '../keycloak/make-realm.ts'
import { pinged } from '../requests.ts'
import type { Scene } from '../scene.ts'
import { claimsOf, isFor } from '../token-claims.ts'

const versions = ['v1', 'v2'] as const
const add = { name: 'demo__add', arguments: { a: 2, b: 3 } }
const echo = { name: 'demo__echo', arguments: { message: 'hello' } }

/** Official clients that know only the URL of an endpoint, and a person who logs in on the pages of the provider. */
export function loginChecks({ gateway, acme }: Scene): readonly Check[] {
  return versions.flatMap((version) => [
    {
      name: `SDK ${version}: finds the provider, registers, and a person logs in and agrees`,
      run: async () => {
        const { client, memory } = await logIn(version, gateway.endpoint, 'ada')
        const claims = claimsOf(tokenOf(memory))
        expectSame([claims['iss'], isFor(claims, gateway.endpoint)], [acme.issuer, true], 'issuer and audience')
        await client.callTool(echo)
        await client.close()
      },
    },
    {
      name: `SDK ${version}: a tool needs a further scope, and the person agrees to it`,
      run: () => stepUp(version, gateway.endpoint, { client_id: acme.person, issuer: acme.issuer }),
    },
    {
      name: `SDK ${version}: gets a new token when the old one is refused`,
      run: async () => {
        const { client, memory } = await logIn(version, gateway.endpoint, 'ada')
        await client.close()
        const tokens = memory.tokens()
        if (tokens === undefined) throw new Error('Expected tokens')
        memory.saveTokens({ ...tokens, access_token: 'a-token-that-has-expired' })
        const again = officialClients[version](new URL(gateway.endpoint), memory)
        await again.connect()
        await again.client.callTool(echo)
        await again.client.close()
      },
    },
    {
      name: `SDK ${version}: members of a group get into its tenant, others do not`,
      run: async () => {
        const [ada, bob] = [
          await logIn(version, gateway.endpoint, 'ada'),
          await logIn(version, gateway.endpoint, 'bob'),
        ]
        const statuses = async (memory: OAuthMemory) =>
          Promise.all(
            ['acme', 'other'].map(
              async (tenant) => (await pinged(`${gateway.endpoint}/${tenant}`, tokenOf(memory))).status,
            ),
          )
        await Promise.all([ada.client.close(), bob.client.close()])
        expectSame(await statuses(ada.memory), [200, 404], 'what ada may')
        expectSame(await statuses(bob.memory), [404, 404], 'what bob may')
      },
    },
  ])
}

/** A client that is registered by hand. */
interface KnownClient {
  readonly client_id: string
  readonly issuer: string
}

/** @param known a client that is registered by hand. Absent: the client registers itself */
async function logIn(version: 'v1' | 'v2', endpoint: string, name: string, known?: KnownClient) {
  const memory = new OAuthMemory(`${name}'s ${version}`)
  if (known !== undefined) memory.saveClientInformation(known)
  const person = new PersonWithBrowser(name, password)
  const first = officialClients[version](new URL(endpoint), memory)
  const refused = await first.connect().then(
    () => undefined,
    (error: unknown) => error,
  )
  if (memory.page === undefined) throw new Error('Expected a page to log in at', { cause: refused })
  await first.finish(await answerOf(person, memory))
  const second = officialClients[version](new URL(endpoint), memory)
  await second.connect()
  return { ...second, memory, person }
}

async function answerOf(person: PersonWithBrowser, { page }: OAuthMemory): Promise<URLSearchParams> {
  if (page === undefined) throw new Error('Expected a page to log in at')
  const back = await person.authorize(page, redirectUrl)
  if (back.searchParams.get('code') === null) throw new Error(`Expected a code, got ${back.search}`)
  return back.searchParams
}

function tokenOf(memory: OAuthMemory): string {
  return memory.tokens()?.access_token ?? ''
}

async function stepUp(version: 'v1' | 'v2', endpoint: string, known: KnownClient): Promise<void> {
  const loggedIn = await logIn(version, endpoint, 'ada', known)
  const { client, memory, person } = loggedIn
  memory.page = undefined
  const refused = await client.callTool(add).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (refused === undefined) throw new Error('Expected that the call is refused without the scope')
  await loggedIn.finish(await answerOf(person, memory))
  expectSame(
    String(claimsOf(tokenOf(memory))['scope'])
      .split(' ')
      .includes('sums'),
    true,
    'the scope in the new token',
  )
  const result = await client.callTool(add)
  expectSame(result.structuredContent, { sum: 5 }, 'the result')
  await client.close()
}
