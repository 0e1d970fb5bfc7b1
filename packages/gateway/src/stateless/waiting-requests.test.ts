import { expect, it } from 'vitest'
import { WaitingRequests } from './waiting-requests.ts'

const mebi = 1024 * 1024

it('has room for 64 requests of a principal, and for many more of callers without credentials', () => {
  const waiting = new WaitingRequests()
  const admitted = Array.from({ length: 65 }, () => waiting.enter('ada', 100, false))
  expect(admitted.filter(Boolean)).toHaveLength(64)
  waiting.leave('ada', 100)
  expect(waiting.enter('ada', 100, false)).toBe(true)
  expect(Array.from({ length: 65 }, () => waiting.enter('anyone', 100, true))).not.toContain(false)
  expect(waiting.count).toBe(129)
})

it('has room for 4096 requests in all', () => {
  const waiting = new WaitingRequests()
  const admitted = Array.from({ length: 4_097 }, () => waiting.enter('anyone', 100, true))
  expect(admitted.indexOf(false)).toBe(4_096)
})

it('has room for few large requests of a principal, of which the first may have any length', () => {
  const waiting = new WaitingRequests()
  const admitted = Array.from({ length: 5 }, () => waiting.enter('ada', 4 * mebi, false))
  expect(admitted).toEqual([true, true, true, true, false])
  expect(waiting.enter('ada', 1_000, false)).toBe(true)
  expect(waiting.enter('eve', 64 * mebi, false)).toBe(true)
  waiting.leave('ada', 4 * mebi)
  expect(waiting.enter('ada', 4 * mebi, false)).toBe(true)
})

it('has room for some large requests in all, and short ones are not affected by them', () => {
  const waiting = new WaitingRequests()
  const admitted = Array.from({ length: 33 }, () => waiting.enter('anyone', 4 * mebi, true))
  expect(admitted.indexOf(false)).toBe(32)
  expect(waiting.enter('ada', mebi, false)).toBe(false)
  expect(waiting.enter('ada', 10_000, false)).toBe(true)
  waiting.clear()
  expect([waiting.count, waiting.enter('ada', mebi, false)]).toEqual([0, true])
})
