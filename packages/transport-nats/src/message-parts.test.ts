import { memoryUsage } from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MessageParts } from './message-parts.ts'
import { splitMessage } from './split-message.ts'

/** The result for each part. */
function joined(parts: MessageParts, message: Uint8Array, size: number): unknown {
  const all = splitMessage(message, size)
  const outcomes = all.map((part, index) => parts.take(part, index < all.length - 1))
  expect(outcomes.slice(0, -1).every((one) => one === undefined)).toBe(true)
  const whole = outcomes.at(-1)
  return whole instanceof Uint8Array ? Buffer.from(whole) : whole
}

test('messages are joined unchanged, or refused when they are too large, without an effect on the next', () => {
  const limit = 100
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 })),
      fc.integer({ min: 1, max: 50 }),
      (all, size) => {
        const parts = new MessageParts(limit)
        for (const message of all) {
          const whole = joined(parts, message, size)
          expect(whole).toEqual(message.length > limit ? 'too_large' : Buffer.from(message))
        }
      },
    ),
  )
})

test('a message of one part is not copied', () => {
  const message = new Uint8Array([1, 2])
  expect(new MessageParts(2).take(message, false)).toBe(message)
})

test('a message of many small parts occupies not much more than its bytes', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const parts = new MessageParts(1_000_000)
  collect()
  const before = memoryUsage()
  for (let count = 0; count < 200_000; count += 1) parts.take(Uint8Array.of(120), true)
  collect()
  const { heapUsed, arrayBuffers } = memoryUsage()
  expect(heapUsed - before.heapUsed + arrayBuffers - before.arrayBuffers).toBeLessThan(5_000_000)
  expect(parts.take(Uint8Array.of(120), false)).toHaveLength(200_001)
})
