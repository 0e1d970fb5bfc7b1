import { parseConfig, type ParsedConfig } from '@junctor/config'
import type { Plugin } from '@junctor/plugin-sdk'
import { expect, test } from 'vitest'
import { createGreeter } from '../../test/greeter.ts'
import { policyFingerprint } from './policy-fingerprint.ts'

const plugins = [createGreeter(async () => {}).plugin]
const base = {
  backends: { ours: { greet: 'hi' }, theirs: { greet: 'ho' } },
  tenants: { a: { backends: ['ours'] }, b: { backends: ['theirs'] } },
}

function fingerprint(file: object): string {
  return fingerprintOf(parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins, env: {} }))
}

function fingerprintOf(parsed: ParsedConfig): string {
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  return policyFingerprint(parsed.config)
}

test('a configuration in another order, or with a different way to a backend, has the same policy', () => {
  const { ours, theirs } = base.backends
  const { a, b } = base.tenants
  const same = [
    { backends: { theirs, ours }, tenants: { b, a } },
    { ...base, backends: { ours: { greet: 'hello' }, theirs } },
    { ...base, server: { name: 'two' }, listen: { http: { port: 1 } } },
  ]
  for (const file of same) expect(fingerprint(file)).toBe(fingerprint(base))
})

test('nodes may have the file of a plugin in different folders', () => {
  const [plugin] = plugins
  const at = (path: string): string => {
    const backends = { ours: { plugin: path, greet: 'hi' } }
    const loaded = new Map([[path, { kind: 'loaded', plugin: plugin as Plugin } as const]])
    return fingerprintOf(
      parseConfig(JSON.stringify({ backends }), { file: 'junctor.json', plugins: [], loaded, env: {} }),
    )
  }
  expect(at('./greeter.ts')).toBe(at('/opt/greeter.ts'))
})

test('a configuration with other permissions has another policy', () => {
  const others = [
    { ...base, tenants: { ...base.tenants, a: { backends: ['ours'], tools: { deny: ['*:wait'] } } } },
    { ...base, limits: { sessions: 5 } },
    { ...base, timeout: '5s' },
    { ...base, auth: { anonymous: true } },
    { ...base, backends: { ...base.backends, ours: { greet: 'hi', isolation: 'tenant' } } },
  ]
  const all = [base, ...others].map(fingerprint)
  expect(new Set(all).size).toBe(all.length)
})

/** The ways to every value that has no members. Those in which a backend is reached are left out. */
function waysIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]]
  return Object.entries(value).flatMap(([name, inner]) => waysIn(inner).map((way) => [name, ...way]))
}

function changedAt(value: unknown, [name, ...way]: readonly string[]): unknown {
  if (name === undefined) return 'another'
  const inner = changedAt((value as Record<string, unknown>)[name], way)
  return Array.isArray(value) ? value.with(Number(name), inner) : { ...(value as object), [name]: inner }
}

test('every single setting that decides what callers may do is part of the policy, whatever the parameters of a tool are named', () => {
  const parsed = parseConfig(JSON.stringify({ ...base, limits: { sessions: 5 } }), {
    file: 'junctor.json',
    plugins,
    env: {},
  })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const approved = {
    hello: { inputSchema: { properties: { options: { type: 'array' }, secrets: { type: 'string' } } } },
    options: { title: 'x' },
  }
  const [ours, ...others] = parsed.config.backends
  const pinned = { ...ours, pins: { mode: 'block', approved } }
  const pins = { mode: 'block', approved: { ours: approved } }
  const config = { ...parsed.config, pins, backends: [pinned, ...others] } as typeof parsed.config
  const { tenants, auth, limits, timeoutMs, gatewayTools } = config
  const { options: _options, secrets: _secrets, plugin: _plugin, ...decides } = pinned
  const ways = waysIn({ tenants, auth, limits, timeoutMs, gatewayTools, pins, backends: [decides] })
  const missed = ways.filter(
    (way) => policyFingerprint(changedAt(config, way) as typeof config) === policyFingerprint(config),
  )
  expect(missed).toEqual([])
  expect(ways.length).toBeGreaterThan(50)
})
