import { expect, test } from 'vitest'
import { CreditReturn, CreditWindow, leastFrameBytes, windowBytes } from './credit.ts'

test('a sender waits when the window is full, also with empty frames, until enough were taken', async () => {
  const window = new CreditWindow()
  for (let n = 1; n < windowBytes / leastFrameBytes; n += 1) expect(window.sent(0)).toBeUndefined()
  const waits = window.sent(0)
  expect(waits).toBeInstanceOf(Promise)
  window.taken({ bytes: leastFrameBytes })
  await waits
  expect(window.sent(0)).toBeInstanceOf(Promise)
})

test('a single frame may be larger than the window', async () => {
  const window = new CreditWindow()
  expect(window.sent(windowBytes - 1)).toBeUndefined()
  const waits = window.sent(2 * windowBytes)
  expect(waits).toBeInstanceOf(Promise)
  window.taken({ bytes: 3 * windowBytes - 1 })
  await waits
})

test('after the end no sender waits', async () => {
  const window = new CreditWindow()
  const waits = window.sent(windowBytes)
  window.end()
  expect(await waits).toBeUndefined()
})

test('a receiver gives credit at a quarter of the window', () => {
  const taken = new CreditReturn()
  const empty = Array.from({ length: windowBytes / 2 / leastFrameBytes }, () => taken.take(0))
  const sent = empty.filter((credit) => credit !== undefined)
  expect(sent).toEqual([{ bytes: windowBytes / 4 }, { bytes: windowBytes / 4 }])
  expect(taken.take(windowBytes)).toEqual({ bytes: windowBytes })
  expect(taken.take(1)).toBeUndefined()
})

test('a full window is always followed by credit, for frames of every size', () => {
  for (const bytes of [1, 5_000, windowBytes / 4 - 1, windowBytes]) {
    const window = new CreditWindow()
    const taken = new CreditReturn()
    for (let n = 0; n < 1_000; n += 1) {
      let sent = 1
      while (window.sent(bytes) === undefined) sent += 1
      const credits = Array.from({ length: sent }, () => taken.take(bytes)).filter((credit) => credit !== undefined)
      expect(credits.length).toBeGreaterThan(0)
      for (const credit of credits) window.taken(credit)
    }
  }
})
