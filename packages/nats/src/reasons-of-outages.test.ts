import { PassThrough } from 'node:stream'
import { silentLog } from '@junctor/contracts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ConnectionChange } from './connection-changes.ts'
import { logReasonsOfOutages } from './reasons-of-outages.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('logs why a lost connection is not restored, each reason once, and nothing of a short loss', async () => {
  const changes = new PassThrough({ objectMode: true })
  const logged: unknown[] = []
  let reason: string | undefined = 'connection refused'
  const log = { ...silentLog, warn: (_message: string, fields?: object) => logged.push(fields) }
  const ended = logReasonsOfOutages(changes as AsyncIterable<ConnectionChange>, async () => reason, log)
  const change = async (to: ConnectionChange): Promise<void> => {
    changes.write(to)
    await vi.advanceTimersByTimeAsync(0)
  }
  await change('lost')
  await vi.advanceTimersByTimeAsync(4_999)
  await change('restored')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(logged).toEqual([])
  await change('lost')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(logged).toEqual([{ reason: 'connection refused' }])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(logged).toHaveLength(1)
  reason = 'certificate has expired'
  await vi.advanceTimersByTimeAsync(30_000)
  expect(logged.slice(1)).toEqual([{ reason }])
  await change('restored')
  await change('lost')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(logged.slice(2)).toEqual([{ reason }])
  reason = undefined
  changes.end()
  await ended
  expect(vi.getTimerCount()).toBe(0)
})
