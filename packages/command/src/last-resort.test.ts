import { EventEmitter } from 'node:events'
import { silentLog } from '@junctor/contracts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLastResort, type LastResort } from './last-resort.ts'

interface Scene {
  readonly process: EventEmitter
  readonly exit: ReturnType<typeof vi.fn<(code?: number) => never>>
  readonly resort: LastResort
  readonly failed: unknown[]
}

function setUp(): Scene {
  const process = new EventEmitter()
  const exit = vi.fn<(code?: number) => never>()
  const resort = createLastResort(Object.assign(process, { exit }) as never, silentLog)
  const failed: unknown[] = []
  void resort.failed.then((error) => failed.push(error))
  return { process, exit, resort, failed }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('an unhandled rejection does not end the process', async () => {
  const { process, exit, resort, failed } = setUp()
  const uncaught = vi.fn<() => undefined>()
  resort.watch({ uncaught })
  process.emit('unhandledRejection', new Error('left'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(uncaught).toHaveBeenCalledOnce()
  expect([failed, exit.mock.calls]).toEqual([[], []])
})

test('an error of a plugin never ends the process', async () => {
  const { process, exit, resort, failed } = setUp()
  resort.watch({ uncaught: () => 'files' })
  for (let count = 0; count < 3; count += 1) process.emit('uncaughtException', new Error('thrown in a timer'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect([failed, exit.mock.calls]).toEqual([[], []])
})

test('any other exception shuts the process down, and ends it when that takes too long', async () => {
  const { process, exit, failed } = setUp()
  const error = new Error('of no plugin')
  process.emit('uncaughtException', error)
  // Nothing may wait for the shutdown yet.
  expect(process).toMatchObject({ exitCode: 1 })
  await vi.advanceTimersByTimeAsync(29_999)
  expect([failed, exit.mock.calls]).toEqual([[error], []])
  await vi.advanceTimersByTimeAsync(1)
  expect(exit.mock.calls).toEqual([[1]])
})

test('the second exception ends the process immediately', async () => {
  const { process, exit } = setUp()
  process.emit('uncaughtException', new Error('one'))
  process.emit('uncaughtException', new Error('two'))
  expect(exit.mock.calls).toEqual([[1]])
})
