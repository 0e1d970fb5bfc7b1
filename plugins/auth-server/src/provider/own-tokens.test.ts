import { createTestPluginContext } from '@junctor/plugin-sdk/testing'
import { defaultOAuthPaths } from '@junctor/plugin-sdk'
import { startHttpServer } from '@junctor/testkit/http'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { config } from '../config.ts'
import { createAuthServer } from '../create-auth-server.ts'
import { mayAsk, mayRevoke } from './own-tokens.ts'

const token = { clientId: 'own' }

test('a client without a secret asks about its own tokens, and others about any', () => {
  expect(mayAsk({ clientId: 'own', clientAuthMethod: 'none' }, token)).toBe(true)
  expect(mayAsk({ clientId: 'other', clientAuthMethod: 'none' }, token)).toBe(false)
  expect(mayAsk({ clientId: 'other', clientAuthMethod: 'client_secret_basic' }, token)).toBe(true)
})

test('a client revokes its own tokens alone', () => {
  for (const clientAuthMethod of ['none', 'client_secret_basic']) {
    expect(mayRevoke({ clientId: 'own', clientAuthMethod }, token)).toBe(true)
  }
  expect(mayRevoke({ clientId: 'other', clientAuthMethod: 'none' }, token)).toBe(false)
  expect(() => mayRevoke({ clientId: 'other', clientAuthMethod: 'client_secret_basic' }, token)).toThrow(
    'invalid_request',
  )
})

test('the library prints nothing when a client registers, and when a token is asked about and revoked', async () => {
  const printed = vi.spyOn(console, 'info').mockImplementation(() => {})
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => {
    printed.mockRestore()
    warned.mockRestore()
  })
  const secret = 's'.repeat(64)
  const { authServer } = z.parse(config, { authServer: { clients: { robot: { secret, scopes: ['mcp'] } } } })
  const site = { publicUrl: 'http://127.0.0.1:3000', oauthPaths: defaultOAuthPaths }
  const server = await createAuthServer(authServer, { ...createTestPluginContext(), site })
  const front = await startHttpServer((request, response) => void server.pages.handle(request, response, 'client'))
  onTestFinished(async () => void (await Promise.all([server.close(), front.close()])))
  const ask = async (path: string, form: Record<string, string>) => {
    const headers = { authorization: `Basic ${Buffer.from(`robot:${secret}`).toString('base64')}` }
    const answer = await fetch(`${front.origin}${path}`, { method: 'POST', headers, body: new URLSearchParams(form) })
    return [answer.status, JSON.parse((await answer.text()) || '{}')] as const
  }
  const [, { access_token: own }] = await ask('/oauth/token', { grant_type: 'client_credentials', scope: 'mcp' })
  expect(await ask('/oauth/introspect', { token: String(own) })).toMatchObject([200, { active: true }])
  expect(await ask('/oauth/revoke', { token: String(own) })).toEqual([200, {}])
  expect(await ask('/oauth/introspect', { token: String(own) })).toEqual([200, { active: false }])
  const registered = await fetch(`${front.origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ client_name: 'Åda “1”', redirect_uris: ['http://127.0.0.1:1/'] }),
  })
  expect([registered.status, await registered.json()]).toMatchObject([201, { client_name: 'Åda “1”' }])
  expect([printed.mock.calls, warned.mock.calls]).toEqual([[], []])
})
