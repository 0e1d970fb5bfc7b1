import { type Log, silentLog, type TelemetryEvent } from '@junctor/contracts'
import { errors } from 'jose'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSigningKey } from '../../test/support/signing-key.ts'
import { endless, keysPath, startTestIssuer, type TestIssuer, text } from '../../test/support/test-issuer.ts'
import { createIssuerKeys, type IssuerKeys, KeysMissing } from './issuer-keys.ts'
import { createKeySetSource } from './key-set-source.ts'

const one = createSigningKey('one')
const two = createSigningKey('two')
const minute = 60_000

let server: TestIssuer
let keys: IssuerKeys
let clock: number
let events: TelemetryEvent[]
let warnings: number

// The first request loads the client of Node, which takes seconds on a busy machine: longer than a read may take here.
beforeAll(async () => {
  const warm = await startTestIssuer()
  await createKeySetSource({ issuer: warm.issuer, jwksUri: `${warm.issuer}/nothing` })
    .read(new AbortController().signal)
    .catch(() => undefined)
  await warm.close()
})

beforeEach(async () => {
  server = await startTestIssuer()
  server.keys = [one.jwk]
  clock = 1_000
  events = []
  warnings = 0
  const log: Log = { ...silentLog, warn: () => void (warnings += 1) }
  keys = createIssuerKeys({
    source: createKeySetSource({ issuer: server.issuer }),
    // On a busy machine an ordinary read takes hundreds of milliseconds.
    timeoutMs: 1_000,
    elapsed: () => clock,
    log,
    emit: (event) => events.push(event),
  })
})
afterEach(async () => {
  keys.close()
  await server.close()
})

/** Returns the result of looking up the key that a token names. */
async function find(kid: string): Promise<'found' | 'unknown' | 'ambiguous' | 'missing'> {
  try {
    await keys.find({ alg: 'ES256', kid }, { payload: '', signature: '' })
    return 'found'
  } catch (error) {
    if (error instanceof KeysMissing) return 'missing'
    if (error instanceof errors.JWKSNoMatchingKey) return 'unknown'
    if (error instanceof errors.JWKSMultipleMatchingKeys) return 'ambiguous'
    throw error
  }
}

const readings = (): number => server.asked.filter((path) => path === keysPath).length
const results = (): readonly unknown[] => events.map((event) => ('result' in event ? event.result : event.kind))

/** Waits for this many events: a background read has ended when its event is reported. */
const untilReported = async (count: number): Promise<void> => {
  while (events.length < count) await new Promise((resolve) => setImmediate(resolve))
}

test('a thousand simultaneous tokens cause one read of the keys', async () => {
  const found = await Promise.all(Array.from({ length: 1000 }, () => find('one')))
  expect(new Set(found)).toEqual(new Set(['found']))
  expect(readings()).toBe(1)
  expect(results()).toEqual(['success'])
})

test('a new key is found by the first token that names it', async () => {
  await find('one')
  clock += minute
  server.keys = [two.jwk]
  expect(await Promise.all([find('two'), find('two')])).toEqual(['found', 'found'])
  expect(await find('one')).toBe('unknown')
  expect(readings()).toBe(2)
})

test('keys with one name are read again, so that an issuer that names them apart is not waited for', async () => {
  server.keys = [one.jwk, { ...two.jwk, kid: 'one' }]
  expect(await find('one')).toBe('ambiguous')
  server.keys = [one.jwk, two.jwk]
  clock += 29_999
  expect(await find('one')).toBe('ambiguous')
  clock += 1
  expect(await find('one')).toBe('found')
  expect(readings()).toBe(2)
})

test('a thousand unknown keys cause one read in thirty seconds', async () => {
  const flood = async (verdict = 'unknown'): Promise<void> => {
    const found = await Promise.all(Array.from({ length: 1000 }, (_, index) => find(`bad ${index}`)))
    expect(new Set(found)).toEqual(new Set([verdict]))
  }
  await flood()
  expect(readings()).toBe(1)
  clock += 29_999
  await flood()
  expect(readings()).toBe(1)
  clock += 1
  await flood()
  await flood()
  expect(readings()).toBe(2)
  // This is also true when the issuer fails.
  server.answers.set(keysPath, text('', 500))
  clock += 30_000
  await flood('missing')
  await flood('missing')
  expect(readings()).toBe(3)
  expect(await find('one')).toBe('found')
})

test('a new key is not called unknown while its issuer cannot be asked', async () => {
  await find('one')
  clock += minute
  server.keys = [one.jwk, two.jwk]
  server.answers.set(keysPath, text('', 500))
  expect(await find('two')).toBe('missing')
  server.answers.clear()
  clock += 29_999
  // Still in the pause, so that nothing is known of this key.
  expect(await find('two')).toBe('missing')
  expect(await find('one')).toBe('found')
  clock += 1
  expect(await find('two')).toBe('found')
  expect(await find('bad')).toBe('unknown')
})

test('old keys are read again while they stay in use', async () => {
  await find('one')
  clock += 10 * minute
  server.keys = [two.jwk]
  expect(await find('one')).toBe('found')
  await untilReported(2)
  expect(await find('one')).toBe('unknown')
  expect(await find('two')).toBe('found')
  expect(readings()).toBe(2)
})

const outages: readonly [string, (server: TestIssuer) => void][] = [
  ['fails', ({ answers }) => answers.set(keysPath, text('', 503))],
  ['hangs', ({ answers }) => answers.set(keysPath, () => {})],
  ['sends garbage', ({ answers }) => answers.set(keysPath, text('{"keys": garbage'))],
  ['sends invalid keys', ({ answers }) => answers.set(keysPath, text('{"keys":[1,null]}'))],
  ['sends no end', ({ answers }) => answers.set(keysPath, endless('x'.repeat(100_000), 1))],
  ['drips', ({ answers }) => answers.set(keysPath, endless(' ', 5))],
  ['sends 10 MB', ({ answers }) => answers.set(keysPath, text(`{"keys":["${'x'.repeat(10_000_000)}"]}`))],
  ['sends what is nested too deep', ({ answers }) => answers.set(keysPath, text(`{"keys":[${nested(100_000)}]}`))],
  ['hangs up', ({ answers }) => answers.set(keysPath, (response) => response.destroy())],
]

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

describe.each(outages)('an issuer that %s', (_name, breakDown) => {
  test('is not needed for an hour, and is asked again every thirty seconds', async () => {
    await find('one')
    breakDown(server)
    clock += 59 * minute
    expect(await find('one')).toBe('found')
    await untilReported(2)
    expect(await find('one')).toBe('found')
    clock += minute
    expect(await find('one')).toBe('missing')
    expect(await find('one')).toBe('missing')
    expect(readings()).toBe(3)
    expect(results()).toEqual(['success', 'failure', 'failure'])
    expect(warnings).toBe(2)
    server.answers.clear()
    clock += 5_000
    expect(await find('one')).toBe('found')
  })

  test('admits no caller before its keys were read once', async () => {
    breakDown(server)
    const found = await Promise.all(Array.from({ length: 100 }, () => find('one')))
    expect(new Set(found)).toEqual(new Set(['missing']))
    clock += 4_999
    expect(await find('one')).toBe('missing')
    expect(readings()).toBe(1)
    server.answers.clear()
    clock += 1
    expect(await find('one')).toBe('found')
  })
})

test('only one read runs at a time', async () => {
  server.answers.set(keysPath, () => {})
  const first = find('one')
  while (readings() === 0) await new Promise((resolve) => setImmediate(resolve))
  clock += minute
  expect(await Promise.all([first, find('one')])).toEqual(['missing', 'missing'])
  expect(readings()).toBe(1)
})

test('the caller learns how long there is no other attempt', async () => {
  await server.close()
  await find('one')
  clock += 2_000
  const problem: unknown = await Promise.resolve(
    keys.find({ alg: 'ES256', kid: 'one' }, { payload: '', signature: '' }),
  ).catch((error: unknown) => error)
  expect(problem).toMatchObject({ retryAfterMs: 3_000 })
})

test('closing cancels a read immediately, without a log message or an event', async () => {
  server.answers.set(keysPath, () => {})
  const waiting = find('one')
  while (readings() === 0) await new Promise((resolve) => setImmediate(resolve))
  keys.close()
  expect(await waiting).toBe('missing')
  clock += minute
  expect(await find('one')).toBe('missing')
  expect(readings()).toBe(1)
  expect(events).toEqual([])
})
