import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { diffConfig, type NamesDiff } from '../src/index.ts'
import { createParsing } from './parsing.ts'

const parsing = createParsing()
afterAll(() => parsing.remove())

const file = {
  backends: {
    files: { command: 'node', args: ['a.js'], env: { LOG: 'warn' } },
    search: { url: 'https://mcp.example.com/mcp' },
  },
  tenants: { default: { backends: ['files'] }, acme: { backends: ['search'] } },
}
const configOf = (value: object): ReturnType<typeof parsing.valid> => parsing.valid(JSON.stringify(value))
const before = configOf(file)

/** Returns the changes, without empty lists and without unchanged names. */
function changes(value: object): object {
  const { backends, tenants, restart } = diffConfig(before, configOf(value))
  const diff = { backends: moved(backends), tenants: moved(tenants), restart }
  return Object.fromEntries(Object.entries(diff).filter(([, part]) => Object.keys(part).length > 0))
}

function moved({ added, changed, removed }: NamesDiff): object {
  return Object.fromEntries(Object.entries({ added, changed, removed }).filter(([, names]) => names.length > 0))
}

test('nothing has changed between two reads of one file', () => {
  expect(diffConfig(before, configOf(file))).toEqual({
    backends: { added: [], changed: [], removed: [], kept: ['files', 'search'] },
    tenants: { added: [], changed: [], removed: [], kept: ['default', 'acme'] },
    restart: [],
  })
})

test('a backend has changed when its plugin is another object, although it looks the same', () => {
  const [first, ...others] = before.backends
  const again = first === undefined ? [] : [{ ...first, plugin: { ...first.plugin } }]
  expect(diffConfig(before, { ...before, backends: [...again, ...others] }).backends).toMatchObject({
    changed: ['files'],
    kept: ['search'],
  })
})

describe('a backend has changed', () => {
  const { files, search } = file.backends
  test.each([
    ['when an option changed', { ...files, args: ['b.js'] }],
    ['when a nested option changed', { ...files, env: { LOG: 'info' } }],
    ['when its prefix changed', { ...files, prefix: 'f' }],
    ['when it is another kind', { url: 'https://files.example.com/' }],
    ['when its bounds have', { ...files, maxLinks: 1 }],
  ])('%s', (_how, changed) => {
    expect(changes({ ...file, backends: { files: changed, search } })).toEqual({ backends: { changed: ['files'] } })
  })

  test('when its inherited deadline changed', () => {
    expect(changes({ ...file, timeout: '1s' })).toEqual({ backends: { changed: ['files', 'search'] } })
  })

  test('when the folder of its relative paths changed', () => {
    const { backends } = diffConfig(before, { ...configOf(file), folder: '/elsewhere' })
    expect(backends.changed).toEqual(['files', 'search'])
  })

  test('but not when a default is written explicitly', () => {
    expect(changes({ ...file, backends: { files: { ...files, idle: '5m' }, search } })).toEqual({})
  })
})

test('added and removed backends and tenants are listed', () => {
  const more = { backends: { files: file.backends.files, demo: { plugin: '@junctor/plugin-demo' } } }
  expect(changes({ ...more, tenants: { default: { backends: ['files'] }, other: { backends: [] } } })).toEqual({
    backends: { added: ['demo'], removed: ['search'] },
    tenants: { added: ['other'], removed: ['acme'] },
  })
})

describe('a restart is needed', () => {
  test.each([
    ['listen.http', { listen: { http: { port: 4000 } } }],
    ['listen.admin', { listen: { admin: {} } }],
    ['server', { server: { name: 'mine' } }],
    ['publicUrl', { publicUrl: 'https://gw.example.com' }],
    ['limits', { limits: { sessions: 1 } }],
    ['secrets', { secrets: { seal: ['0123456789abcdef0123456789abcdef'] } }],
    ['events', { events: { keep: 1 } }],
    ['audit', { audit: { file: 'audit.ndjson' } }],
  ])('by %s', (word, section) => {
    expect(changes({ ...file, ...section })).toEqual({ restart: [word] })
  })

  test('by listen.nats', () => {
    const onNats = {
      ...file,
      fabric: { nats: { servers: ['nats://nats:4222'], key: 'k'.repeat(32) } },
      auth: { anonymous: true },
    }
    const { restart } = diffConfig(configOf(onNats), configOf({ ...onNats, listen: { nats: true } }))
    expect(restart).toEqual(['listen.nats'])
  })

  test('not by another certificate, but by the first one', () => {
    const withTls = (cert: string) => {
      const http = { ...before.listen.http, tls: { cert, key: cert } }
      return { ...before, listen: { ...before.listen, http } }
    }
    expect(diffConfig(withTls('first'), withTls('renewed')).restart).toEqual([])
    expect(diffConfig(before, withTls('first')).restart).toEqual(['listen.http'])
  })

  test('not by rates, which change their tenants', () => {
    expect(changes({ ...file, limits: { rates: { callsPerMinute: 1 } } })).toEqual({
      tenants: { changed: ['default', 'acme'] },
    })
  })

  test('not by auth, nor by gateway tools', () => {
    const auth = { apiKeys: { ci: { hash: `sha256:${'0'.repeat(64)}` } } }
    expect(changes({ ...file, auth, gatewayTools: true })).toEqual({})
  })
})

test('every name of either side is in exactly one list', () => {
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
  const some = names.map((chosen) => Object.fromEntries(chosen.map((name) => [name, { command: name }])))
  fc.assert(
    fc.property(some, some, (old, now) => {
      const { added, changed, removed, kept } = diffConfig(
        configOf({ backends: old }),
        configOf({ backends: now }),
      ).backends
      expect([...added, ...changed, ...kept].toSorted()).toEqual(Object.keys(now).toSorted())
      expect([...removed, ...changed, ...kept].toSorted()).toEqual(Object.keys(old).toSorted())
    }),
    { numRuns: 50 },
  )
})
