import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { certificate, certificateKey } from './certificate.ts'
import { createParsing } from './parsing.ts'

const parsing = createParsing()
afterAll(() => parsing.remove())

const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  resource: '/oauth/resource',
}

describe('a valid file', () => {
  test('may be empty: everything has a default', () => {
    expect(parsing.valid('')).toEqual({
      folder: parsing.folder,
      listen: {
        http: {
          host: '127.0.0.1',
          port: 3000,
          allowedHosts: [],
          allowedOrigins: [],
          trustedProxies: [],
          tls: undefined,
        },
        admin: undefined,
        nats: false,
      },
      fabric: 'memory',
      server: { name: 'junctor', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      publicUrl: undefined,
      profile: 'mcp',
      timeoutMs: 30_000,
      backends: [],
      gatewayTools: undefined,
      pins: { mode: 'off', approved: {} },
      events: { keep: 10_000, file: undefined },
      audit: { file: undefined },
      tenants: [
        {
          name: 'default',
          profile: 'mcp',
          separator: undefined,
          maxLength: 64,
          askers: true,
          bareNames: 'listed',
          relayExtensions: [],
          backends: [],
          tools: { allow: undefined, deny: [] },
          prompts: { allow: undefined, deny: [] },
          resources: { allow: undefined, deny: [] },
          members: undefined,
        },
      ],
      discovery: { oauthPaths },
      auth: { apiKeys: [], anonymous: false, issuer: undefined, server: undefined },
      secrets: { seal: [] },
      limits: {},
    })
  })

  test('has backends of each kind, with defaults that depend on the kind and on the rest of the file', () => {
    const { backends } = parsing.valid(`
fabric: { nats: { servers: [nats://localhost:4222], key: "01234567890123456789012345678901" } }
timeout: 10s
backends:
  files: { command: node, args: [server.js], isolation: tenant, prefix: "" }
  search: { url: https://mcp.example.com/mcp, timeout: 2m, runsOn: workers, askTimeout: 5m, maxLinks: 4, idle: 0s }
  demo: { plugin: "@junctor/plugin-demo" }
  weather: { plugin: "@acme/weather", city: Bergen, prefix: w }
`)
    const defaults = {
      secrets: [],
      runsOn: 'gateways',
      timeoutMs: 10_000,
      askTimeoutMs: 60_000,
      maxLinks: 256,
      queue: 100,
      retry: true,
      idleMs: 300_000,
    }
    expect(backends).toEqual([
      {
        ...defaults,
        name: 'files',
        word: 'command',
        plugin: expect.objectContaining({ name: '@junctor/plugin-mcp' }),
        options: { command: 'node', args: ['server.js'], env: {} },
        prefix: '',
        isolation: 'tenant',
      },
      {
        name: 'search',
        word: 'url',
        secrets: [],
        plugin: expect.objectContaining({ name: '@junctor/plugin-mcp' }),
        options: { url: 'https://mcp.example.com/mcp', headers: {} },
        prefix: undefined,
        isolation: 'session',
        runsOn: 'workers',
        timeoutMs: 120_000,
        askTimeoutMs: 300_000,
        maxLinks: 4,
        queue: 100,
        retry: true,
        idleMs: 0,
      },
      {
        ...defaults,
        name: 'demo',
        word: 'plugin',
        pluginReference: '@junctor/plugin-demo',
        plugin: expect.objectContaining({ name: '@junctor/plugin-demo' }),
        options: {},
        prefix: undefined,
        isolation: 'tenant',
      },
      {
        ...defaults,
        name: 'weather',
        word: 'plugin',
        pluginReference: '@acme/weather',
        plugin: expect.objectContaining({ name: '@acme/weather' }),
        options: { city: 'Bergen' },
        prefix: 'w',
        isolation: 'tenant',
      },
    ])
  })

  test('has tenants that inherit profile and separator', () => {
    const { tenants } = parsing.valid(`
naming: { separator: "." }
backends: { one: { command: a }, two: { command: b } }
tenants:
  default: { backends: [one, two] }
  acme: { profile: mcp, naming: { separator: ":" }, backends: [two], tools: { allow: ["two:*"], deny: ["*:delete_*"] } }
`)
    expect(tenants).toEqual([
      {
        name: 'default',
        profile: 'mcp',
        separator: '.',
        maxLength: 64,
        askers: true,
        bareNames: 'listed',
        relayExtensions: [],
        backends: ['one', 'two'],
        tools: { allow: undefined, deny: [] },
        prompts: { allow: undefined, deny: [] },
        resources: { allow: undefined, deny: [] },
        members: undefined,
      },
      {
        name: 'acme',
        profile: 'mcp',
        separator: ':',
        maxLength: 64,
        askers: true,
        bareNames: 'listed',
        relayExtensions: [],
        backends: ['two'],
        tools: { allow: ['two:*'], deny: ['*:delete_*'] },
        prompts: { allow: undefined, deny: [] },
        resources: { allow: undefined, deny: [] },
        members: undefined,
      },
    ])
  })

  test('has profiles for all tenants or for some', () => {
    const profilesOf = (text: string): readonly string[] => parsing.valid(text).tenants.map(({ profile }) => profile)
    expect(profilesOf('profile: saas')).toEqual(['saas'])
    expect(
      profilesOf('profile: saas\ntenants: { default: { backends: [], profile: mcp }, acme: { backends: [] } }'),
    ).toEqual(['mcp', 'saas'])
    expect(profilesOf('tenants: { default: { backends: [] }, acme: { backends: [], profile: saas } }')).toEqual([
      'mcp',
      'saas',
    ])
  })

  test('may listen on a network when callers need a key, or when it declares that they do not', () => {
    const hash = `sha256:${'0123456789abcdef'.repeat(4)}`
    const keyed = parsing.valid(`
listen: { http: { host: 0.0.0.0 } }
auth: { apiKeys: { ci: { hash: "${hash}" } } }
`)
    expect(keyed.auth).toEqual({
      apiKeys: [{ name: 'ci', hash, tenants: ['default'] }],
      anonymous: false,
      issuer: undefined,
    })
    expect(parsing.valid('listen: { http: { host: "::" } }\nauth: { anonymous: true }').auth.anonymous).toBe(true)
  })

  test('has an issuer whose tokens are accepted, and members by their claims', () => {
    const { auth, tenants } = parsing.valid(`
listen: { http: { host: 0.0.0.0 } }
auth: { issuer: https://id.example.com, audience: https://gw.example.com/mcp }
tenants: { acme: { backends: [], members: { claim: org, values: [acme, acme-labs] } } }
`)
    expect(auth.issuer).toEqual({
      issuer: 'https://id.example.com',
      audience: ['https://gw.example.com/mcp'],
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      jwksUri: undefined,
      type: undefined,
      scopes: [],
      toolScopes: {},
    })
    expect(tenants[0]?.members).toEqual({ claim: 'org', values: ['acme', 'acme-labs'] })
  })

  test('has an issuer on this machine without TLS, with all its options', () => {
    const { auth } = parsing.valid(`
auth:
  issuer: http://127.0.0.1:4000
  audience: [one, two]
  algorithms: [ES384]
  jwksUri: http://localhost:4000/keys
  type: at+jwt
`)
    expect(auth.issuer).toEqual({
      issuer: 'http://127.0.0.1:4000',
      audience: ['one', 'two'],
      algorithms: ['ES384'],
      jwksUri: 'http://localhost:4000/keys',
      type: 'at+jwt',
      scopes: [],
      toolScopes: {},
    })
  })

  test('has an admin port when configured, and file paths that start from its folder', () => {
    expect(parsing.valid('listen: { admin: {} }').listen.admin).toEqual({
      host: '127.0.0.1',
      port: 3001,
      token: undefined,
      allowedHosts: [],
    })
    const { listen, events, audit, gatewayTools } = parsing.valid(`
listen: { admin: { host: 10.0.0.1, port: "\${env:PORT}", token: "\${env:TOKEN}-and-more" } }
events: { keep: 100, file: log/events.ndjson }
audit: { file: /var/log/audit.ndjson }
gatewayTools: false
`)
    expect(listen.admin).toEqual({ host: '10.0.0.1', port: 8080, token: 'hunter2-and-more', allowedHosts: [] })
    expect(events).toEqual({ keep: 100, file: join(parsing.folder, 'log', 'events.ndjson') })
    expect(audit).toEqual({ file: '/var/log/audit.ndjson' })
    expect(gatewayTools).toBe(false)
  })

  test('takes values from the environment and from files, numbers too', () => {
    const { listen, backends } = parsing.valid(`
listen: { http: { port: "\${env:PORT}", tls: { cert: gateway.crt, key: "\${file:gateway.crt}" } } }
backends: { search: { url: "https://mcp.example.com/", headers: { authorization: "Bearer \${env:TOKEN}" } } }
`)
    // A reference leaves out the newline at the end.
    const pem = certificate + certificateKey
    expect(listen.http).toMatchObject({ port: 8080, tls: { cert: pem, key: pem.trimEnd() } })
    expect(backends[0]?.options).toMatchObject({ headers: { authorization: 'Bearer hunter2' } })
  })

  test('has limits in the units of the components that enforce them', () => {
    const { limits } = parsing.valid('limits: { body: 8MiB, sessions: 10, sessionIdle: 1h, depth: 32 }')
    expect(limits).toEqual({ body: 8_388_608, sessions: 10, sessionIdleMs: 3_600_000, depth: 32 })
  })

  test('has the rates of the file for each tenant, member by member', () => {
    const { tenants, limits } = parsing.valid(`
backends: { search: { command: node } }
limits: { rates: { callsPerMinute: 600, callsPerMinuteOfTools: { 'search:*': 30 } } }
tenants:
  one: { backends: [search] }
  two: { backends: [search], limits: { callsPerMinute: 60, callsPerMinuteOfPrincipal: 6, burst: 1m } }
`)
    expect(limits).toEqual({})
    const callsPerMinuteOfTools = { 'search:*': 30 }
    expect(tenants.map(({ rates }) => rates)).toEqual([
      { callsPerMinute: 600, callsPerMinuteOfTools, burstMs: 10_000 },
      { callsPerMinute: 60, callsPerMinuteOfPrincipal: 6, callsPerMinuteOfTools, burstMs: 60_000 },
    ])
  })

  test('has no rates where it sets none', () => {
    expect(parsing.valid('limits: { rates: { burst: 1s } }').tenants[0]?.rates).toBeUndefined()
    expect(parsing.valid('limits: { rates: { callsPerMinute: 5 } }').tenants[0]?.rates).toMatchObject({
      callsPerMinute: 5,
    })
  })

  test('has a public URL without the slash at its end', () => {
    expect(parsing.valid('publicUrl: https://gw.example.com/mcp-gateway/').publicUrl).toBe(
      'https://gw.example.com/mcp-gateway',
    )
    // As clients and browsers write it: the issuer, resources and origins made of it are compared as texts.
    for (const written of ['HTTPS://GW.Example.COM:443', 'https://gw.example.com/']) {
      expect(parsing.valid(`publicUrl: ${written}`).publicUrl).toBe('https://gw.example.com')
    }
    expect(parsing.valid('publicUrl: http://[0:0::1]:3000/a/../Mcp').publicUrl).toBe('http://[::1]:3000/Mcp')
  })

  test('may be JSON, with comments if its file name ends in .json', () => {
    expect(parsing.valid('{\n// a port\n"listen": {"http": {"port": 0}}}', 'junctor.json').listen.http.port).toBe(0)
  })

  test('may be JSON', () => {
    expect(parsing.valid('{\n\t"listen": {"http": {"port": 0}}\n}').listen.http.port).toBe(0)
  })
})

test('reports the other files that it depends on, also when it is invalid', () => {
  const text = `
listen: { http: { tls: { cert: gateway.crt, key: "\${file:gateway.crt}" } } }
server: { name: "\${file:nope}", version: "\${file:gateway.crt}" }
`
  expect(parsing.parse(text)).toMatchObject({
    kind: 'invalid',
    files: ['gateway.crt', 'nope'].map((name) => join(parsing.folder, name)),
  })
  expect(parsing.parse('timeout: 1s')).toMatchObject({ kind: 'valid', files: [] })
  expect(parsing.parse('secrets: { seal: ["${file:gateway.crt}"] }').files).toEqual([
    join(parsing.folder, 'gateway.crt'),
  ])
})
