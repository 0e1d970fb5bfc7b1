import { defaultOAuthPaths } from '@junctor/plugin-sdk'
import { silentLog, emitNothing } from '@junctor/plugin-sdk/link'
import { openBackend } from '@junctor/plugin-sdk/testing'
import { startScriptedServer } from '@junctor/testkit'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { leanServer } from '../test/lean-server.ts'
import { config } from './config.ts'
import { mcpPlugin } from './plugin.ts'

test.each([
  [{ command: 'python' }, { command: 'python', args: [], env: {} }],
  [
    { command: 'a', args: ['-m'], env: { K: 'v' }, cwd: 'x' },
    { command: 'a', args: ['-m'], env: { K: 'v' }, cwd: 'x' },
  ],
  // In the form that Claude Desktop and Cursor accept.
  [
    { command: 'a', env: { PORT: 8080, RATIO: 0.5, DEBUG: true, QUIET: false, GONE: null, TEXT: '' } },
    { command: 'a', args: [], env: { PORT: '8080', RATIO: '0.5', DEBUG: 'true', QUIET: 'false', TEXT: '' } },
  ],
  [{ url: 'https://x.example/mcp' }, { url: 'https://x.example/mcp', headers: {} }],
  [{ url: 'wss://x.example/mcp' }, { url: 'wss://x.example/mcp', headers: {} }],
  [
    { url: 'http://x.example', headers: { a: 'b' }, auth: { bearer: 'k' } },
    { url: 'http://x.example', headers: { a: 'b' }, auth: { bearer: 'k' } },
  ],
])('%j is a configuration', (options, expected) => {
  expect(z.parse(config, options)).toEqual(expected)
})

test.each([
  [{}],
  [{ command: '' }],
  [{ command: 'a', url: 'http://x.example' }],
  [{ command: 'a', headers: {} }],
  [{ command: 'a', args: 'b' }],
  [{ command: 'a', env: { K: { a: 1 } } }],
  [{ command: 'a', env: { K: ['x'] } }],
  [{ url: 'ftp://x.example' }],
  [{ url: 'x.example/mcp' }],
  [{ url: 'http://x.example', args: [] }],
  [{ url: 'http://x.example', auth: { token: 'k' } }],
  [{ url: 'http://x.example', auth: { bearer: 'Bearer k' } }],
  [{ url: 'http://x.example', auth: { bearer: 'k\n' } }],
  [{ url: 'http://x.example', headers: { 'x-key': 'a\nb' } }],
  [{ url: 'http://x.example', headers: { 'x-key': '“k”' } }],
  [{ url: 'http://x.example', headers: { 'x key': 'k' } }],
])('%j is refused', (options) => {
  expect(z.safeParse(config, options).success).toBe(false)
})

const party = { issuer: 'https://id.example', clientId: 'gateway', clientSecret: 'k' }
const both = { identityProvider: party, authorizationServer: party }

test('identity assertions need two parties, each with an issuer and one proof', () => {
  const isValid = (identityAssertion: unknown, more: object = {}): boolean =>
    z.safeParse(config, { url: 'https://x.example/mcp', auth: { identityAssertion, ...more } }).success
  expect(isValid(both)).toBe(true)
  expect(isValid({ ...both, scope: 'mcp' })).toBe(true)
  for (const name of ['identityProvider', 'authorizationServer']) {
    expect(isValid({ ...both, [name]: undefined })).toBe(false)
    expect(isValid({ ...both, [name]: null })).toBe(false)
    expect(isValid({ ...both, [name]: { ...party, issuer: undefined } })).toBe(false)
    expect(isValid({ ...both, [name]: { ...party, clientSecret: undefined } })).toBe(false)
    expect(isValid({ ...both, [name]: { ...party, privateKey: 'k' } })).toBe(false)
  }
  expect(isValid(both, { bearer: 'k' })).toBe(false)
  expect(z.safeParse(config, { url: 'wss://x.example/mcp', auth: { identityAssertion: both } }).success).toBe(false)
})

test('a secret needs the issuer that it is for, which the server could name otherwise', () => {
  const faultOf = (auth: object): string | undefined =>
    z.safeParse(config, { url: 'https://x.example/mcp', auth }).error?.message
  const { issuer: _issuer, ...known } = party
  const words = ['oauth', 'clientCredentials']
  for (const word of words) {
    expect(faultOf({ [word]: known })).toContain('the issuer too')
    expect(faultOf({ [word]: party })).toBeUndefined()
  }
  // Neither is sent to anybody: an assertion is for the issuer that it names.
  expect(faultOf({ oauth: { clientId: 'gateway' } })).toBeUndefined()
  expect(faultOf({ clientCredentials: { clientId: 'gateway', privateKey: 'k' } })).toBeUndefined()
})

test('the words of the configuration select the plugin, which makes a backend of them', async () => {
  expect(mcpPlugin.key).toEqual(['command', 'url'])
  const server = await startScriptedServer(leanServer())
  onTestFinished(() => server.close())
  const client = await openBackend(mcpPlugin, { config: { url: server.origin, era: 'handshake' } })
  expect(server.received[0]?.body).toMatchObject({ method: 'initialize' })
  await client.close()
})

test.each([
  ['auto', true],
  ['handshake', false],
  ['stateless', false],
] as const)(
  'with the era %s, links with tokens of persons follow the era of their clients: %s',
  async (era, follows) => {
    const tokenExchange = { issuer: 'https://id.example', clientId: 'gateway', clientSecret: 'k' }
    const { createUrlBackend } = await import('./url-backend.ts')
    const backend = createUrlBackend({
      name: 'x',
      config: { url: 'https://x.example/mcp', headers: {}, auth: { tokenExchange }, era },
      log: silentLog,
      emit: emitNothing,
      gateway: { openCallerToken: () => undefined } as never,
    })
    onTestFinished(() => backend.close())
    expect(backend).toMatchObject({ isPersonal: true, followsEra: follows })
  },
)

test('a header that cannot be sent is refused when the backend is created', async () => {
  const options = { url: 'http://127.0.0.1', headers: { Host: 'elsewhere' } }
  const context = {
    name: 'x',
    log: silentLog,
    emit: emitNothing,
    site: { publicUrl: undefined, oauthPaths: defaultOAuthPaths },
    servePages: () => undefined,
    issueTokens: () => undefined,
    showAccounts: () => () => never(),
    folder: '/',
    processes: { child: () => never() },
    store: () => never(),
    seal: { close: () => never(), open: () => never() },
    openCallerToken: () => never(),
    counter: () => never(),
  }
  await expect(mcpPlugin.create(z.parse(config, options), context)).rejects.toThrow(/CONFIG_INVALID/)
})

function never(): never {
  throw new Error('not expected')
}
