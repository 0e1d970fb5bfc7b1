import { expect, test } from 'vitest'
import { CreditReturn, CreditWindow, windowBytes, windowFrames } from './credit.ts'

test('a sender waits when the window is full of frames, until enough were taken', async () => {
  const window = new CreditWindow()
  for (let n = 1; n < windowFrames; n += 1) expect(window.sent(10)).toBeUndefined()
  const waits = window.sent(10)
  expect(waits).toBeInstanceOf(Promise)
  window.taken({ frames: 1, bytes: 10 })
  await waits
  expect(window.sent(10)).toBeInstanceOf(Promise)
})

test('bytes fill it too, and one frame may be larger by itself', async () => {
  const window = new CreditWindow()
  expect(window.sent(windowBytes - 1)).toBeUndefined()
  const waits = window.sent(2 * windowBytes)
  expect(waits).toBeInstanceOf(Promise)
  window.taken({ frames: 2, bytes: 3 * windowBytes - 1 })
  await waits
})

test('nobody waits after the end', async () => {
  const window = new CreditWindow()
  const waits = window.sent(windowBytes)
  window.end()
  expect(await waits).toBeUndefined()
})

test('a receiver tells at a quarter of the window, by frames and by bytes', () => {
  const taken = new CreditReturn()
  const told = Array.from({ length: windowFrames / 2 }, () => taken.take(10)).filter((credit) => credit !== undefined)
  expect(told).toEqual([
    { frames: 16, bytes: 160 },
    { frames: 16, bytes: 160 },
  ])
  expect(taken.take(windowBytes)).toEqual({ frames: 1, bytes: windowBytes })
  expect(taken.take(1)).toBeUndefined()
})

test('a full window is always followed by credit, whatever the frames are like', () => {
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
