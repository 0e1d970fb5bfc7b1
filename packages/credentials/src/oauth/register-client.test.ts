import { allowInsecureRequests, type AuthorizationServer, customFetch } from 'oauth4webapi'
import { expect, test } from 'vitest'
import { clientAuthFor } from './oauth-client.ts'
import type { OAuthHttp } from './oauth-http.ts'
import { clientMetadata, registerClient } from './register-client.ts'

const issuer = 'https://as.example'

/** Registers at a server that takes these methods, and answers with `answer` besides the id. */
async function registered(methods: string[] | undefined, answer: object) {
  const server: AuthorizationServer = {
    issuer,
    registration_endpoint: `${issuer}/register`,
    ...(methods !== undefined && { token_endpoint_auth_methods_supported: methods }),
  }
  let asked: unknown
  const options = {
    [allowInsecureRequests]: true,
    async [customFetch](_url: string, { body }: { body?: unknown }) {
      asked = (JSON.parse(String(body)) as Record<string, unknown>)['token_endpoint_auth_method']
      return Response.json({ client_id: 'c', ...answer }, { status: 201 })
    },
  } as OAuthHttp['options']
  const metadata = clientMetadata('https://gw.example', 'https://gw.example/callback')
  const client = await registerClient(server, metadata, { options } as OAuthHttp)
  // How it proves itself then.
  const [body, headers] = [new URLSearchParams(), new Headers()]
  await clientAuthFor(client, server)(server, { client_id: 'c' }, body, headers)
  return { asked, secret: body.get('client_secret'), basic: headers.get('authorization') }
}

const [none, secret] = [{ secret: null, basic: null }, { client_secret: 's' }]
const post = { secret: 's', basic: null }
const basic = { secret: null, basic: `Basic ${btoa('c:s')}` }
const [byBasic, byPost] = ['client_secret_basic', 'client_secret_post']

test.each([
  // A server that takes clients without a secret needs to give none.
  [undefined, {}, { asked: 'none', ...none }],
  [['none', byBasic], {}, { asked: 'none', ...none }],
  [[byBasic, byPost], secret, { asked: byBasic, ...basic }],
  [['private_key_jwt', byPost], secret, { asked: byPost, ...post }],
  // It may decide otherwise, and then says so.
  [[byBasic, byPost, 'none'], { ...secret, token_endpoint_auth_method: byPost }, { asked: 'none', ...post }],
  [undefined, { ...secret, token_endpoint_auth_method: byPost }, { asked: 'none', ...post }],
  [['none', byBasic], { ...secret, token_endpoint_auth_method: 'none' }, { asked: 'none', ...none }],
  // It repeats what it was asked for, and does not take it.
  [[byPost], { ...secret, token_endpoint_auth_method: 'none' }, { asked: byPost, ...post }],
])('at a server that takes %j and answers %j', async (methods, answer, expected) => {
  expect(await registered(methods, answer)).toEqual(expected)
})
