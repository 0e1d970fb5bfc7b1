import { silentLog } from '@junctor/contracts'
import { expect, test, vi } from 'vitest'
import { ClockSkews } from './clock-skews.ts'

test('the fastest message measures how far a clock is ahead, and a large difference is logged once', () => {
  const warn = vi.fn<typeof silentLog.warn>()
  let now = 1_000_000
  const skews = new ClockSkews({ ...silentLog, warn }, () => now)
  for (const delay of [40, 900, 3, 20, 500, 70, 80]) {
    now += 2_000
    skews.record('ahead', now + 60_000 - delay)
    skews.record('behind', now - 4_000 - delay)
  }
  expect(skews.aheadMs).toEqual({ ahead: 59_997, behind: -4_003 })
  expect(warn.mock.calls).toEqual([[expect.any(String), { node: 'ahead', aheadMs: 59_997 }]])
  skews.forget('ahead')
  expect(skews.aheadMs).toEqual({ behind: -4_003 })
})
