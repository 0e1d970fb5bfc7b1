import { expect, test } from 'vitest'
import { ExpiryTimer } from './expiry-timer.ts'
import { MemoryRecords } from './memory-store.ts'

test('expired records leave memory at the next sweep, even if others were renewed meanwhile', () => {
  let now = 0
  const timer = new ExpiryTimer(() => now, expect.unreachable)
  const records = new MemoryRecords(timer)
  for (const key of ['a', 'b', 'c']) records.put(key, '1', 1_000, undefined)
  now = 900
  records.put('a', '2', 1_000, undefined)
  now = 1_000
  expect(records.size).toBe(3)
  timer.look()
  expect(records.size).toBe(1)
  expect(records.get('a')?.value).toBe('2')
  now = 1_900
  timer.look()
  expect(records.size).toBe(0)
  expect(timer.running).toBe(false)
})
