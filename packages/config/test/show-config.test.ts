import { join } from 'node:path'
import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { showConfig } from '../src/index.ts'
import { certificate, certificateKey } from './certificate.ts'
import { createParsing } from './parsing.ts'

const parsing = createParsing()
afterAll(() => parsing.remove())

const canary = 'CANARY'
const hash = `sha256:3eb1bd${'0123456789'.repeat(5)}abcdefab`

/** Every member of every section, with a canary wherever a secret may occur. */
const file = {
  listen: {
    http: {
      host: '0.0.0.0',
      port: 4000,
      allowedHosts: ['gw.example.com'],
      allowedOrigins: ['https://app.example.com'],
      trustedProxies: ['10.0.0.0/8', 'fd00::/8'],
      tls: { cert: 'gateway.crt', key: certificateKey + canary },
    },
    admin: { host: '127.0.0.2', port: 4001, token: `${canary}-and-some-more`, allowedHosts: ['ops.example.com'] },
    nats: false,
  },
  fabric: 'memory',
  server: { name: 'mine, not $${env:HOST}', version: '1.2.3' },
  publicUrl: 'https://gw.example.com',
  timeout: '90s',
  gatewayTools: true,
  pins: 'warn',
  backends: {
    files: {
      command: 'node',
      args: ['server.js', '--api-key', canary, `--token=${canary}`, '-v', '--root', '/data'],
      env: { LOG: canary, API_KEY: '${env:TOKEN}' },
      prefix: '',
      isolation: 'tenant',
    },
    search: {
      url: `https://user:${canary}@mcp.example.com/mcp?key=${canary}`,
      headers: { 'x-api-key': canary },
      auth: { bearer: canary },
      prefix: 'search',
      pins: 'off',
      maxLinks: 3,
      concurrency: 8,
      queue: 9,
      retry: false,
      idle: '0ms',
    },
    weather: { plugin: '@acme/weather', city: 'Bergen', prefix: 'weather' },
  },
  tenants: {
    default: { profile: 'mcp', naming: { separator: '.' }, backends: ['files'], tools: { deny: ['files:delete_*'] } },
    acme: {
      naming: { separator: '__' },
      backends: ['search', 'weather'],
      tools: { allow: ['search:*'] },
      members: { claim: 'org', values: ['acme'] },
      limits: {
        callsPerMinute: 600,
        callsPerMinuteOfPrincipal: 60,
        callsPerMinuteOfTools: { 'search:*': 30 },
        burst: '5s',
      },
    },
  },
  auth: {
    apiKeys: { ci: { hash, tenants: ['acme'] } },
    issuer: 'https://id.example.com',
    audience: ['https://gw.example.com/mcp'],
    algorithms: ['ES256'],
    jwksUri: 'https://id.example.com/jwks',
    type: 'at+jwt',
    scopes: ['mcp'],
    toolScopes: { 'search:*': ['search'] },
    introspection: {
      url: 'https://id.example.com/introspect',
      clientId: 'junctor',
      clientSecret: canary,
      reuse: '2s',
      signed: true,
    },
  },
  discovery: {
    oauth_endpoints: {
      authorize: '/login/authorize',
      token: '/login/token',
      register: '/login/register',
      revoke: '/login/revoke',
      resource: '/login/resource',
    },
  },
  secrets: { seal: [`${canary}-0123456789abcdef0123456789abcdef`] },
  events: { keep: 500, file: 'events.ndjson' },
  audit: { file: '/var/log/audit.ndjson' },
  limits: { body: '8MiB', sessions: 10, sessionIdle: '1h' },
}

const config = parsing.valid(JSON.stringify(file))

describe('the shown configuration', () => {
  test('has every member in the words and units of the file, without secrets', () => {
    expect(showConfig(config, { body: 1, depth: 32, graceMs: 1500, headers: 16_384 })).toEqual({
      ...file,
      profile: 'mcp',
      listen: {
        http: { ...file.listen.http, tls: { cert: certificate + certificateKey, key: '(secret)' } },
        admin: { ...file.listen.admin, token: '(secret)' },
        nats: false,
      },
      backends: {
        files: {
          command: 'node',
          args: ['server.js', '--api-key', '(secret)', '--token=(secret)', '-v', '--root', '/data'],
          env: { LOG: '(secret)', API_KEY: '(secret)' },
          prefix: '',
          timeout: '90s',
          askTimeout: '1m',
          isolation: 'tenant',
          runsOn: 'gateways',
          maxLinks: 256,
          queue: 100,
          retry: true,
          idle: '5m',
          pins: 'warn',
        },
        search: {
          url: 'https://(secret)@mcp.example.com/mcp?(secret)',
          headers: { 'x-api-key': '(secret)' },
          auth: { bearer: '(secret)' },
          prefix: 'search',
          timeout: '90s',
          askTimeout: '1m',
          isolation: 'session',
          runsOn: 'gateways',
          maxLinks: 3,
          concurrency: 8,
          queue: 9,
          retry: false,
          idle: '0ms',
          pins: 'off',
        },
        weather: {
          plugin: '@acme/weather',
          city: 'Bergen',
          prefix: 'weather',
          timeout: '90s',
          askTimeout: '1m',
          isolation: 'tenant',
          runsOn: 'gateways',
          maxLinks: 256,
          queue: 100,
          retry: true,
          idle: '5m',
          pins: 'warn',
        },
      },
      tenants: {
        default: {
          ...file.tenants.default,
          naming: { separator: '.', maxLength: 64, askers: true, bareNames: 'listed' },
          relayExtensions: [],
          prompts: { deny: [] },
          resources: { deny: [] },
        },
        acme: {
          ...file.tenants.acme,
          naming: { separator: '__', maxLength: 64, askers: true, bareNames: 'listed' },
          relayExtensions: [],
          profile: 'mcp',
          tools: { allow: ['search:*'], deny: [] },
          prompts: { deny: [] },
          resources: { deny: [] },
        },
      },
      auth: {
        ...file.auth,
        introspection: { ...file.auth.introspection, clientSecret: '(secret)' },
        apiKeys: { ci: { hash: 'sha256:3eb1bd…', tenants: ['acme'] } },
        anonymous: false,
      },
      secrets: { seal: ['(secret)'] },
      events: { keep: 500, file: `${parsing.folder}/events.ndjson` },
      limits: { body: '8MiB', headers: '16KiB', depth: 32, grace: '1500ms', sessions: 10, sessionIdle: '1h' },
    })
  })

  test('has the same effect once the secrets are filled in', () => {
    const shown = showConfig(config, {})
    const again = parsing.valid(JSON.stringify(filledIn(shown, file)))
    const { http } = again.listen
    const tls = { ...http.tls, file: join(parsing.folder, 'gateway.crt') }
    expect({ ...again, listen: { ...again.listen, http: { ...http, tls } } }).toEqual(config)
  })

  test.each([
    ['its name', 'mcp', 'mcp', 'demo'],
    ['empty where the profile uses no prefixes', 'saas', 'saas', ''],
    ['not shown where tenants differ', 'mcp', 'saas', undefined],
  ])('the prefix of a backend without a configured one is %s', (_, one, two, prefix) => {
    const tenants = { default: { profile: one, backends: ['demo'] }, acme: { profile: two, backends: ['demo'] } }
    const bare = { profile: 'n8n', backends: { demo: { plugin: '@junctor/plugin-demo' } }, tenants }
    const { backends } = showConfig(parsing.valid(JSON.stringify(bare)), {}) as { backends: { demo: object } }
    expect(backends.demo).toEqual(expect.objectContaining({ plugin: '@junctor/plugin-demo', timeout: '30s' }))
    expect(Object.entries(backends.demo).find(([word]) => word === 'prefix')?.[1]).toBe(prefix)
  })

  test('of an empty file has every default', () => {
    const shown = showConfig(parsing.valid(''), { sessions: 10_000 })
    expect(shown).toMatchObject({
      listen: {
        http: { host: '127.0.0.1', port: 3000, allowedHosts: [], allowedOrigins: [], trustedProxies: [] },
        nats: false,
      },
      fabric: 'memory',
      server: { name: 'junctor' },
      timeout: '30s',
      gatewayTools: false,
      backends: {},
      tenants: { default: { profile: 'mcp', naming: { separator: '__' }, backends: [], tools: { deny: [] } } },
      auth: { apiKeys: {}, anonymous: false },
      secrets: { seal: [] },
      events: { keep: 10_000 },
      audit: {},
      limits: { sessions: 10_000 },
    })
    expect(showConfig(parsing.valid(JSON.stringify(shown)), { sessions: 10_000 })).toEqual(shown)
  })

  test('of a fabric on NATS has everything except its secrets', () => {
    const nats = {
      servers: ['tls://nats:4222'],
      key: 'k'.repeat(32),
      user: 'junctor',
      password: 'hush',
      tls: { key: 'PEM' },
    }
    const shown = showConfig(parsing.valid(JSON.stringify({ fabric: { nats } })), {})
    expect(shown['fabric']).toEqual({
      nats: {
        servers: ['tls://nats:4222'],
        cluster: 'junctor',
        replicas: 1,
        user: 'junctor',
        key: '(secret)',
        password: '(secret)',
        tls: { key: '(secret)' },
      },
    })
  })

  test('is plain data', () => {
    const shown = showConfig(config, {})
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown)
  })
})

/** Replaces hidden values by the original ones. */
function filledIn(shown: JsonValue | undefined, from: JsonValue | undefined): JsonValue | undefined {
  if (typeof shown === 'string') return /\(secret\)|…$/.test(shown) ? from : shown
  if (Array.isArray(shown)) return shown.map((item, index) => filledIn(item, (from as JsonValue[])[index]) ?? null)
  if (!isJsonObject(shown)) return shown
  const members = Object.entries(shown)
  return Object.fromEntries(members.map(([name, member]) => [name, filledIn(member, (from as JsonObject)?.[name])]))
}

test('the value of a reference is never shown, at any position of the options of a plugin', () => {
  const leaf = fc.constantFrom<JsonValue>('${env:TOKEN}', 'see ${env:TOKEN}!', 'x${env:PORT}', 'plain', 1, true, null)
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
  }))
  fc.assert(
    fc.property(value, (options) => {
      const text = JSON.stringify({ backends: { one: { plugin: '@acme/anything', options } } })
      const shown = JSON.stringify(showConfig(parsing.valid(text), {})['backends'])
      expect(shown).not.toMatch(/hunter2|8080/)
    }),
  )
})
