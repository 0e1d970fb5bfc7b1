import type { Lease } from '@junctor/contracts'
import { expect, it } from 'vitest'
import { createDeadlines } from '../../shared/deadlines.ts'
import { defaultGatewayLimits } from '../../shared/limits.ts'
import type { JobItem } from '../record/job-item.ts'
import { JobLease } from './job-lease.ts'

it('counts as lost when it could not be extended for its whole time, however often that was tried', async () => {
  let time = 0
  const now = (): number => time
  const state = { isAway: true }
  const lease: Lease<JobItem> = {
    id: 'a',
    value: 'a',
    fence: 1,
    extend: () => (state.isAway ? Promise.reject(new Error('storage is away')) : Promise.resolve(true)),
    done: async () => true,
    release: async () => {},
  }
  const clock = { now, deadlines: createDeadlines(now, expect.unreachable) }
  const limits = { ...defaultGatewayLimits, jobLeaseMs: 15 }
  const kept = new JobLease({ clock, limits }, lease, 0, new AbortController().signal)
  const at = (ms: number): Promise<boolean> => {
    time = ms
    return kept.keep()
  }
  expect([await at(5), await at(10), await at(15)]).toEqual([true, true, false])
  state.isAway = false
  expect(await at(20)).toBe(true)
  state.isAway = true
  expect([await at(25), await at(30), await at(34), await at(35)]).toEqual([true, true, true, false])
})
