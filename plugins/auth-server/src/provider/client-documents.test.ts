import { generateKeyPairSync } from 'node:crypto'
import { startHttpServer } from '@junctor/testkit/http'
import { createTestPluginContext } from '@junctor/plugin-sdk/testing'
import { Provider } from 'oidc-provider'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { config } from '../config.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { providerOptions } from './provider-options.ts'
import { loadServerKeys } from './server-keys.ts'
import { serverPaths } from './server-paths.ts'
import { reportUnreadDocuments } from './unread-documents.ts'
import { createAdapters } from './store-adapter.ts'
import { defaultOAuthPaths } from '@junctor/plugin-sdk'
import { sampleStores } from '../../test/sample-stores.ts'

const clientId = 'https://client.example.com/client.json'
const redirect = 'http://127.0.0.1:7777/callback'

/** The server's answer to a client that is known by this document. */
async function opened(document: unknown, registration: object = {}, status = 200) {
  const { origin: url, close } = await startHttpServer((request, response) => answer(request, response))
  onTestFinished(close)
  const site = await startHttpServer((_request, response) => {
    if (status === 0) response.destroy()
    else response.writeHead(status).end(JSON.stringify(document))
  })
  const documents = guardedFetch(['127.0.0.1'])
  onTestFinished(async () => void (await Promise.all([documents.close(), site.close()])))
  const context = createTestPluginContext()
  const { authServer } = z.parse(config, { authServer: { registration } })
  const paths = serverPaths(url, defaultOAuthPaths)
  const asked: string[] = []
  const provider = new Provider(
    url,
    providerOptions({
      config: authServer,
      paths,
      keys: await loadServerKeys(context.store('any', 60_000)),
      people: { find: async () => undefined },
      adapter: createAdapters(sampleStores(context)),
      async fetch(from) {
        asked.push(from instanceof Request ? from.url : from.toString())
        return documents.fetch(`${site.origin}/document`)
      },
    }),
  )
  reportUnreadDocuments(provider)
  const answer = provider.callback()
  const page = new URL(`${url}${paths.authorize}`)
  const parameters = {
    client_id: clientId,
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    scope: 'mcp',
    resource: `${url}/mcp`,
  }
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value)
  const { status: shown, headers } = await fetch(page, { redirect: 'manual' })
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'r', client_id: clientId })
  const refused = await fetch(`${url}${paths.token}`, { method: 'POST', body })
  const token = [refused.status, ((await refused.json()) as { readonly error: string }).error]
  const metadata = await (await fetch(`${url}/.well-known/openid-configuration`)).json()
  return { status: shown, location: headers.get('location'), token, asked, metadata }
}

const good = {
  client_id: clientId,
  client_name: 'A client',
  redirect_uris: [redirect, 'https://client.example.com/callback', 'com.example.client:/callback'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'little',
}

test('a client is known by its document, wherever it runs', async () => {
  const { status, location, asked, metadata } = await opened(good)
  expect([status, location, asked]).toEqual([303, expect.stringContaining('/interaction/'), [clientId]])
  expect(metadata).toMatchObject({ client_id_metadata_document_supported: true })
})

test.each([
  ['of another client', { ...good, client_id: 'https://client.example.com/other.json' }],
  ['with another redirect', { ...good, redirect_uris: ['https://client.example.com/callback'] }],
  ['with a secret', { ...good, token_endpoint_auth_method: 'client_secret_basic' }],
  ['that is a list', [good]],
  ['that is null', null],
])('a document %s sends nobody anywhere', async (_, document) => {
  expect(await opened(document)).toMatchObject({ status: 400, location: null })
})

test('a member of a document that is null counts as left out', async () => {
  expect((await opened({ ...good, logo_uri: null, contacts: null })).status).toBe(303)
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', d: null, use: null, key_ops: null }] }
  const withKey = { ...good, token_endpoint_auth_method: 'private_key_jwt', jwks }
  expect((await opened(withKey)).status).toBe(303)
})

test('where hosts are named, a document sends people to no other ones', async () => {
  expect(await opened(good, { hosts: ['app.example.com'] })).toMatchObject({ status: 400, location: null })
  const allowed = await opened(good, { hosts: ['client.example.com'] })
  expect(allowed.status).toBe(303)
})

test('where clients may not register themselves, no document is read', async () => {
  const { status, asked } = await opened(good, { open: false })
  expect([status, asked]).toEqual([400, []])
})

test.each([
  [0, 503, [503, 'temporarily_unavailable']],
  [429, 503, [503, 'temporarily_unavailable']],
  [502, 503, [503, 'temporarily_unavailable']],
  [404, 400, [400, 'invalid_client']],
])('a client whose document is answered with %s learns whether it is known', async (status, shown, token) => {
  expect(await opened(good, {}, status)).toMatchObject({ status: shown, token })
})
