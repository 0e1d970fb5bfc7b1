import type { LogBounds } from '@junctor/contracts'
import { expect, test } from 'vitest'
import { type CreateFabrics, pairForEachTest } from './fabric-pair.ts'
import { eventually } from '../eventually.ts'

const wide: LogBounds = { entries: 100, bytes: 100_000, ageMs: 60_000 }

/** The tests of logs: entries are numbered from 1, and read in order at every node. */
export function describeFabricLogs(create: CreateFabrics): void {
  const pair = pairForEachTest(create)

  test('entries of both nodes are numbered from 1 and read in order', async () => {
    const [near, far] = [pair.near.log('l', wide), pair.far.log('l', wide)]
    expect(await near.append('key', 'a')).toBe(1)
    expect(await far.append('key', 'b')).toBe(2)
    expect(await near.append('key', 'ä\n"')).toBe(3)
    expect(await far.read('key', 0)).toEqual([
      { sequence: 1, value: 'a' },
      { sequence: 2, value: 'b' },
      { sequence: 3, value: 'ä\n"' },
    ])
    expect(await near.read('key', 2)).toEqual([{ sequence: 3, value: 'ä\n"' }])
    expect(await near.read('key', 3)).toEqual([])
  })

  test('each key of each log is its own sequence', async () => {
    const [one, two] = [pair.near.log('one', wide), pair.near.log('two', wide)]
    await one.append('a', 'one a')
    expect(await one.append('b.* >', 'one b')).toBe(1)
    expect(await two.append('a', 'two a')).toBe(1)
    expect(await pair.far.log('one', wide).read('a', 0)).toEqual([{ sequence: 1, value: 'one a' }])
    expect(await pair.far.log('one', wide).read('b.* >', 0)).toEqual([{ sequence: 1, value: 'one b' }])
  })

  test('an unused key has no entries, and can be dropped', async () => {
    const log = pair.near.log('l', wide)
    await log.drop('key')
    expect(await log.read('key', 0)).toEqual([])
  })

  test('concurrent writers get different numbers', async () => {
    const logs = [pair.near.log('l', wide), pair.far.log('l', wide)]
    const appends = Array.from({ length: 10 }, (_, n) => logs.map((log) => log.append('key', `${n}`))).flat()
    const sequences = await Promise.all(appends)
    expect(sequences.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  })

  test('above the limit of entries the oldest are removed', async () => {
    const log = pair.near.log('l', { ...wide, entries: 2 })
    for (const value of ['a', 'b', 'c']) await log.append('key', value)
    expect(await log.read('key', 0)).toEqual([
      { sequence: 2, value: 'b' },
      { sequence: 3, value: 'c' },
    ])
  })

  test('above the limit of bytes the oldest are removed', async () => {
    const log = pair.near.log('l', { ...wide, bytes: 1000 })
    for (const value of ['a', 'b', 'c']) await log.append('key', value.repeat(400))
    const entries = await log.read('key', 0)
    expect(entries.map((entry) => entry.sequence)).toEqual([2, 3])
  })

  test('an entry that is larger than the limit is refused, and removes nothing', async () => {
    const log = pair.near.log('l', { ...wide, bytes: 1000 })
    await log.append('key', 'a')
    await expect(log.append('key', 'ä'.repeat(501))).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
    expect(await log.read('key', 0)).toEqual([{ sequence: 1, value: 'a' }])
  })

  test('entries are removed when they are too old, and the numbers continue', async () => {
    const log = pair.near.log('short', { ...wide, ageMs: 100 })
    await log.append('key', 'a')
    await eventually(async () =>
      expect(await pair.far.log('short', { ...wide, ageMs: 100 }).read('key', 0)).toEqual([]),
    )
    expect(await log.append('key', 'b')).toBe(2)
  })

  test('a dropped key is empty for every node', async () => {
    const log = pair.near.log('l', wide)
    await log.append('key', 'a')
    await log.append('other', 'b')
    await log.drop('key')
    expect(await pair.far.log('l', wide).read('key', 0)).toEqual([])
    expect(await pair.far.log('l', wide).read('other', 0)).toHaveLength(1)
  })
}
