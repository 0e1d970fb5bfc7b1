import { expect, test } from 'vitest'
import { closeOnce } from './close-once.ts'

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test('a process stays alive until its node is closed, also when nothing else keeps it', async () => {
  const parts = new AsyncDisposableStack()
  const { promise, resolve } = Promise.withResolvers<void>()
  parts.defer(() => promise)
  const before = timers()
  const closing = closeOnce('node', parts).close()
  expect(timers()).toBe(before + 1)
  resolve()
  await closing
  expect(timers()).toBe(before)
})
