import { expect, test } from 'vitest'
import type { Config } from '../config.ts'
import { configuredSecrets } from './configured-secrets.ts'

function secretsOf(options: object, secrets: readonly string[] = []): readonly string[] {
  const backends = [{ name: 'a', options, secrets }]
  const listen = { http: {}, admin: { token: 'of-the-admin-port' } }
  const fabric = { nats: { servers: ['nats://x'], cluster: 'c', key: ['first', 'second'], password: 'of-nats' } }
  const config = { listen, fabric, secrets: { seal: ['seal'] }, auth: {}, backends }
  return configuredSecrets(config as unknown as Config).slice(5)
}

test('the secrets of the gateway itself are included', () => {
  const listen = { http: {}, admin: { token: 'of-the-admin-port' } }
  const fabric = { nats: { servers: ['nats://x'], cluster: 'c', key: ['first', 'second'], password: 'of-nats' } }
  const auth = { issuer: { introspection: { clientSecret: 'of-the-client' } } }
  const config = { listen, fabric, secrets: { seal: ['seal'] }, auth, backends: [] }
  expect(configuredSecrets(config as unknown as Config)).toEqual([
    'of-the-admin-port',
    'first',
    'second',
    'of-nats',
    'seal',
    'of-the-client',
  ])
  const alone = { listen: { http: {} }, fabric: 'memory', secrets: { seal: [] }, auth: {}, backends: [] }
  expect(configuredSecrets(alone as unknown as Config)).toEqual([])
})

test.each([
  ['the values of references', { command: 'x' }, ['word'], ['word']],
  [
    'of a URL the password, and of its query what has a telling name or looks made up',
    { url: 'https://ann:sword%2Ffish@x/y?apiKey=trout&page=two&id=abc-123-def&v=a%20b', args: ['x?key=no-url'] },
    [],
    ['sword%2Ffish', 'sword/fish', 'trout', 'abc-123-def'],
  ],
  [
    'of an argument with a header or an assignment, which a parser of URLs takes for a URL',
    { args: ['Authorization: Bearer swordfish', 'token:trout', 'key: a://pike'] },
    [],
    ['Bearer swordfish', 'swordfish', 'trout', 'a://pike'],
  ],
  ['credentials', { auth: { bearer: 'swordfish' } }, [], ['swordfish']],
  [
    'a header, and what comes after its scheme',
    { headers: { Authorization: 'Bearer x y', Cookie: 'a b' } },
    [],
    ['Bearer x y', 'a b', 'b'],
  ],
  [
    'what has a telling name',
    { apiKey: 'swordfish', deep: { client_secret: ['a', { b: 'c' }] } },
    [],
    ['swordfish', 'a', 'c'],
  ],
  [
    'of an environment what has a telling name or looks made up',
    { env: { API_KEY: 'word', MODE: 'production', HOME: '/home/user1', URL: 'http://x:8080/y', ID: 'abc-123-def' } },
    [],
    ['word', 'abc-123-def'],
  ],
  [
    'of headers no types',
    { headers: { Accept: 'application/json; q=0.9', 'X-Word': 'two words of it' } },
    [],
    ['two words of it'],
  ],
  [
    'what follows a flag',
    { args: ['--api-key', 'swordfish', '--token=trout', '--signature', 'pike', '-v', 'plain'] },
    [],
    ['swordfish', 'trout', 'pike'],
  ],
])('of a backend: %s', (_what, options, known, secrets) => {
  expect(secretsOf(options, known)).toEqual(secrets)
})
