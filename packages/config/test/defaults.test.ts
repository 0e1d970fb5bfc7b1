import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createParsing } from './parsing.ts'

const parsing = createParsing()
afterAll(() => parsing.remove())

/** All defaults that do not depend on the rest of the file. */
const defaults = {
  listen: {
    http: { host: '127.0.0.1', port: 3000, allowedHosts: [], allowedOrigins: [], trustedProxies: [] },
    nats: false,
  },
  fabric: 'memory',
  naming: { maxLength: 64, askers: true, bareNames: 'listed' },
  relayExtensions: [],
  server: { name: 'junctor', version: parsing.valid('').server.version },
  profile: 'mcp',
  timeout: '30s',
  pins: 'off',
  discovery: {
    oauth_endpoints: {
      authorize: '/oauth/authorize',
      token: '/oauth/token',
      register: '/oauth/register',
      revoke: '/oauth/revoke',
      resource: '/oauth/resource',
    },
  },
  events: { keep: 10_000 },
  audit: {},
  backends: {
    files: {
      command: 'x',
      args: [],
      timeout: '30s',
      askTimeout: '1m',
      isolation: 'session',
      runsOn: 'gateways',
      maxLinks: 256,
      queue: 100,
      retry: true,
      idle: '5m',
      pins: 'off',
    },
    demo: { plugin: '@junctor/plugin-demo', isolation: 'tenant' },
  },
  tenants: {
    default: {
      profile: 'mcp',
      naming: { maxLength: 64, askers: true, bareNames: 'listed' },
      relayExtensions: [],
      backends: ['files', 'demo'],
      tools: { deny: [] },
      prompts: { deny: [] },
      resources: { deny: [] },
    },
  },
  auth: { apiKeys: {}, anonymous: false },
  limits: {},
  secrets: { seal: [] },
}

/** Members without a default: without one of them the file has a different meaning. */
const required = new Set(['backends', 'files', 'command', 'demo', 'plugin', 'tenants', 'default'])

/** Returns the value without some of the members that have a default. */
function thinned(value: unknown, keep: () => boolean): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => required.has(key) || keep())
          .map(([key, member]) => [key, thinned(member, keep)]),
      )
    : value
}

test('writing any defaults explicitly changes nothing', () => {
  const complete = parsing.valid(JSON.stringify(defaults))
  fc.assert(
    fc.property(fc.infiniteStream(fc.boolean()), (coins) => {
      const thin = thinned(defaults, () => coins.next().value === true)
      expect(parsing.valid(JSON.stringify(thin))).toEqual(complete)
    }),
    { numRuns: 200 },
  )
})
