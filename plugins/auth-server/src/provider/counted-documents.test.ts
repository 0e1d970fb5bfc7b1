import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createTestPluginContext } from '@junctor/plugin-sdk/testing'
import { defaultOAuthPaths } from '@junctor/plugin-sdk'
import { startHttpServer } from '@junctor/testkit/http'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { config } from '../config.ts'
import { createAuthServer } from '../create-auth-server.ts'

/** A login server, and another server that counts who connects to it, and says nothing. */
async function openServers() {
  const state = { asked: 0, client: '192.0.2.1' }
  const other = createServer((socket) => {
    state.asked += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { authServer } = z.parse(config, { authServer: { documentHosts: ['127.0.0.1'] } })
  const site = { publicUrl: 'http://127.0.0.1:3000', oauthPaths: defaultOAuthPaths }
  const server = await createAuthServer(authServer, { ...createTestPluginContext(), site })
  const front = await startHttpServer((request, response) => void server.pages.handle(request, response, state.client))
  onTestFinished(async () => void (await Promise.all([server.close(), front.close()])))
  const place = `https://127.0.0.1:${(other.address() as AddressInfo).port}`
  const post = (endpoint: string, body: Record<string, string>, forwarded = ''): Promise<Response> =>
    fetch(`${front.origin}/oauth/${endpoint}`, {
      method: 'POST',
      body: new URLSearchParams(body),
      headers: { 'x-forwarded-for': forwarded },
    })
  return { state, front, place, post }
}

test.each(['token', 'revoke'])(
  'the %s endpoint asks other servers for 60 documents of one address in a minute',
  async (endpoint) => {
    const { state, place, post } = await openServers()
    const ask = async (n: number): Promise<unknown> => {
      const body = { client_id: `${place}/${n}`, grant_type: 'refresh_token', refresh_token: 'r', token: 't' }
      // The header is of the client, which may write anything into it.
      const { status } = await post(endpoint, body, `192.0.2.${n}`)
      return status
    }
    const statuses = await Promise.all(Array.from({ length: 70 }, (_, n) => ask(n)))
    expect([state.asked, new Set(statuses)]).toEqual([60, new Set([503])])
    state.client = '192.0.2.2'
    await ask(70)
    expect(state.asked).toBe(61)
  },
)

test('the keys of a client that has registered itself are documents as any other', async () => {
  const { state, front, place, post } = await openServers()
  const registered = await fetch(`${front.origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: ['http://127.0.0.1:7777/callback'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: `${place}/keys`,
    }),
  })
  const { client_id: id } = (await registered.json()) as { readonly client_id: string }
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: id, sub: id, aud: 'http://127.0.0.1:3000', exp: Math.ceil(Date.now() / 1000) + 60, jti: 'j' }
  const body = {
    grant_type: 'refresh_token',
    refresh_token: 'r',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${part({ alg: 'ES256' })}.${part(claims)}.${'A'.repeat(86)}`,
  }
  const statuses = new Set<number>()
  for (let n = 0; n < 70; n += 1) statuses.add((await post('token', body)).status)
  expect([state.asked, statuses]).toEqual([60, new Set([503])])
})
