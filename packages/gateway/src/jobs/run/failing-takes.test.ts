import { silentLog } from '@junctor/contracts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { JobTaker } from './job-taker.ts'
import { createRunningJobs } from './running-jobs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('logs one error while no job can be taken, and another one when that begins again', async () => {
  let takes = 0
  const error = vi.fn<typeof silentLog.error>()
  const taker = new JobTaker({
    queue: {
      async take() {
        takes += 1
        // After an hour without an item.
        if (takes === 30) await new Promise((resolve) => setTimeout(resolve, 3_600_000))
        throw new Error('there is no storage')
      },
    },
    runs: createRunningJobs(30),
    jobsRunning: 1,
    take: async () => undefined,
    hold: () => expect.unreachable(),
    ended() {},
    clock: { now: Date.now },
    log: { ...silentLog, error },
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect([takes, error.mock.calls.length]).toEqual([30, 1])
  await vi.advanceTimersByTimeAsync(3_660_000)
  expect(takes).toBeGreaterThan(31)
  expect(error).toHaveBeenCalledTimes(2)
  const closed = taker.close()
  await vi.advanceTimersByTimeAsync(2_000)
  await closed
})
