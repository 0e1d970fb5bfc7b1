import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { diffBackends, wordsForRestart } from '../src/index.ts'
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

/** Returns the changes, without empty lists. */
function changes(value: object): object {
  const after = configOf(value)
  const diff = { ...diffBackends(before, after), restart: wordsForRestart(before, after) }
  return Object.fromEntries(Object.entries(diff).filter(([, names]) => names.length > 0))
}

test('nothing has changed between two reads of one file', () => {
  expect(changes(file)).toEqual({})
})

test('a backend has changed when its plugin is another object, although it looks the same', () => {
  const [first, ...others] = before.backends
  const again = first === undefined ? [] : [{ ...first, plugin: { ...first.plugin } }]
  expect(diffBackends(before, { ...before, backends: [...again, ...others] }).changed).toEqual(['files'])
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
    expect(changes({ ...file, backends: { files: changed, search } })).toEqual({ changed: ['files'] })
  })

  test('when its inherited deadline changed', () => {
    expect(changes({ ...file, timeout: '1s' })).toEqual({ changed: ['files', 'search'] })
  })

  test('when the folder of its relative paths changed', () => {
    expect(diffBackends(before, { ...configOf(file), folder: '/elsewhere' }).changed).toEqual(['files', 'search'])
  })

  test('but not when a default is written explicitly', () => {
    expect(changes({ ...file, backends: { files: { ...files, idle: '5m' }, search } })).toEqual({})
  })
})

test('added and removed backends are listed', () => {
  const backends = { files: file.backends.files, demo: { plugin: '@junctor/plugin-demo' } }
  expect(changes({ backends })).toEqual({ added: ['demo'], removed: ['search'] })
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
    expect(wordsForRestart(configOf(onNats), configOf({ ...onNats, listen: { nats: true } }))).toEqual(['listen.nats'])
  })

  test('not by another certificate, but by the first one', () => {
    const withTls = (cert: string) => {
      const http = { ...before.listen.http, tls: { cert, key: cert } }
      return { ...before, listen: { ...before.listen, http } }
    }
    expect(wordsForRestart(withTls('first'), withTls('renewed'))).toEqual([])
    expect(wordsForRestart(before, withTls('first'))).toEqual(['listen.http'])
  })

  test('not by tenants, auth, gateway tools, nor by rates', () => {
    const auth = { apiKeys: { ci: { hash: `sha256:${'0'.repeat(64)}` } } }
    const limits = { rates: { callsPerMinute: 1 } }
    expect(changes({ backends: file.backends, auth, gatewayTools: true, limits })).toEqual({})
  })
})

test('every name of one side alone is in exactly one list', () => {
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
  const some = names.map((chosen) => Object.fromEntries(chosen.map((name) => [name, { command: name }])))
  fc.assert(
    fc.property(some, some, (old, now) => {
      const { added, changed, removed } = diffBackends(configOf({ backends: old }), configOf({ backends: now }))
      expect(added).toEqual(Object.keys(now).filter((name) => !Object.hasOwn(old, name)))
      expect(removed).toEqual(Object.keys(old).filter((name) => !Object.hasOwn(now, name)))
      expect(changed).toEqual([])
    }),
    { numRuns: 50 },
  )
})
