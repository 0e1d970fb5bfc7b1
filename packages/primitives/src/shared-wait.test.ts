import { expect, it } from 'vitest'
import { SharedWait } from './shared-wait.ts'

it('is one promise for all until it ends, and then another', async () => {
  const room = new SharedWait()
  const first = room.wait()
  expect(room.wait()).toBe(first)
  room.end()
  await first
  expect(room.wait()).not.toBe(first)
})
