import { afterEach, expect, test, vi } from 'vitest'
import { exitCodes } from './exit-codes.ts'
import { startedUnlessStopped } from './started-unless-stopped.ts'

afterEach(() => void vi.useRealTimers())

const never = new Promise<never>(() => {})

test('what has started is returned', async () => {
  const started = { close: () => Promise.resolve() }
  expect(await startedUnlessStopped(Promise.resolve(started), never)).toBe(started)
})

test('a failed start fails', async () => {
  await expect(startedUnlessStopped(Promise.reject(new Error('no port')), never)).rejects.toThrow('no port')
})

test('what starts after the stop is closed first', async () => {
  const close = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const { promise, resolve } = Promise.withResolvers<{ close(): Promise<void> }>()
  const result = startedUnlessStopped(promise, Promise.resolve(exitCodes.done))
  resolve({ close })
  expect(await result).toBe(exitCodes.done)
  expect(close).toHaveBeenCalledOnce()
})

test('a start that fails after the stop is no failure', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const result = startedUnlessStopped(promise, Promise.resolve(exitCodes.done))
  reject(new Error('too late'))
  expect(await result).toBe(exitCodes.done)
})

test('a start that never ends does not keep the process', async () => {
  vi.useFakeTimers()
  const result = startedUnlessStopped(never, Promise.resolve(exitCodes.done))
  await vi.runAllTimersAsync()
  expect(await result).toBe(exitCodes.done)
})
