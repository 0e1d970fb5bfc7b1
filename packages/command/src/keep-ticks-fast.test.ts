import { expect, test } from 'vitest'
import { keepTicksFast } from './keep-ticks-fast.ts'

test('the process keeps an object of the shape that each tick has', async () => {
  const kept: (() => unknown)[] = []
  const nextTick = (callback: () => void): void => process.nextTick(callback)
  keepTicksFast({ nextTick, once: (_: 'exit', listener: () => unknown) => kept.push(listener) } as never)
  await new Promise((resolve) => setImmediate(resolve))
  const [listener] = kept
  // As `nextTick` of Node creates it: three symbols of its own, and these members.
  expect(Object.keys(listener?.() ?? {})).toEqual(['callback', 'args'])
})
