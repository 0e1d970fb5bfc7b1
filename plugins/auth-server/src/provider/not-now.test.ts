import { createTestPluginContext } from '@junctor/plugin-sdk/testing'
import { defaultOAuthPaths, type PluginContext } from '@junctor/plugin-sdk'
import { JunctorError } from '@junctor/plugin-sdk/link'
import { startHttpServer } from '@junctor/testkit/http'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { config } from '../config.ts'
import { createAuthServer } from '../create-auth-server.ts'

const secret = 's'.repeat(64)

/** No server listens where the keys of the issuer are. */
const { authServer } = z.parse(config, {
  authServer: {
    issuers: { corp: { issuer: 'https://id.example.com', jwksUri: 'http://127.0.0.1:1/keys' } },
    clients: { editor: { secret, scopes: ['mcp'] } },
  },
})

let origin: string
let logged: unknown[][]

/** A login server whose storage stops answering after the start. */
beforeEach(async () => {
  const context = createTestPluginContext()
  let answers = true
  const store = (name: string, ttlMs: number): ReturnType<PluginContext['store']> => {
    const real = context.store(name, ttlMs)
    const checked = <Value>(value: () => Promise<Value>): Promise<Value> =>
      answers ? value() : Promise.reject(new JunctorError('FABRIC_UNAVAILABLE', 'the connection to NATS is lost'))
    return {
      get: (key) => checked(() => real.get(key)),
      put: (...record) => checked(() => real.put(...record)),
      delete: (key) => checked(() => real.delete(key)),
      keys: (prefix) => checked(() => real.keys(prefix)),
    }
  }
  const site = { publicUrl: 'http://127.0.0.1:3000', oauthPaths: defaultOAuthPaths }
  logged = []
  const log = { ...context.log, error: (...line: unknown[]) => logged.push(line) }
  const server = await createAuthServer(authServer, { ...context, site, log, store: store as PluginContext['store'] })
  const front = await startHttpServer((request, response) => void server.pages.handle(request, response, 'client'))
  onTestFinished(async () => void (await Promise.all([server.close(), front.close()])))
  ;({ origin } = front)
  answers = false
})

async function ask(path: string, init?: RequestInit) {
  const answer = await fetch(`${origin}${path}`, { redirect: 'manual', ...init })
  return { status: answer.status, retry: answer.headers.get('retry-after'), text: await answer.text() }
}

test.each([
  ['a code', '/oauth/token', { grant_type: 'authorization_code', client_id: 'x', code: 'y', code_verifier: 'z' }],
  ['a renewal', '/oauth/token', { grant_type: 'refresh_token', client_id: 'x', refresh_token: 'y' }],
  ['a revocation', '/oauth/revoke', { client_id: 'x', token: 'y' }],
])('%s may be sent again while the storage does not answer', async (_name, path, form) => {
  const { status, retry, text } = await ask(path, { method: 'POST', body: new URLSearchParams(form) })
  expect([status, retry, JSON.parse(text)]).toEqual([
    503,
    '5',
    { error: 'temporarily_unavailable', error_description: 'the server cannot reach its storage now' },
  ])
  expect(logged).toEqual([])
})

test('a person at the start of a login is told that it works again soon', async () => {
  const query = new URLSearchParams({ client_id: 'x', response_type: 'code', redirect_uri: 'http://127.0.0.1:9/back' })
  for (const accept of ['text/html', '*/*']) {
    const { status, retry, text } = await ask(`/oauth/authorize?${query.toString()}`, { headers: { accept } })
    expect([status, retry]).toEqual([503, '5'])
    expect(text).toContain('Reload this page in a moment')
  }
})

test('a client may send its assertion again while the keys of the issuer cannot be read', async () => {
  const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${encoded({ alg: 'ES256', kid: 'one' })}.${encoded({ iss: 'https://id.example.com' })}.c2ln`,
  })
  const headers = { authorization: `Basic ${Buffer.from(`editor:${secret}`).toString('base64')}` }
  const { status, retry, text } = await ask('/oauth/token', { method: 'POST', body: form, headers })
  expect([status, retry]).toEqual([503, '5'])
  expect(JSON.parse(text)).toMatchObject({ error: 'temporarily_unavailable' })
  expect(logged).toEqual([])
})
