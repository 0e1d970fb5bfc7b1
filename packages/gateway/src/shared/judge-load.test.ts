import fc from 'fast-check'
import { expect, it } from 'vitest'
import { judgeLoad, type LoadSample, type LoadState } from './judge-load.ts'

const bounds = { loopDelayMs: 1_000, heapPercent: 90 }
const start: LoadState = { kind: 'taking', highs: 0 }

const after = (...samples: readonly Partial<LoadSample>[]): LoadState =>
  samples.reduce<LoadState>(
    (state, sample) => judgeLoad(state, { loopDelayMs: 0, heapPercent: 10, ...sample }, bounds),
    start,
  )

const slow = { loopDelayMs: 1_001 }
const full = { heapPercent: 91 }

it('refuses after three high samples in a row, and says which', () => {
  expect(after(slow, slow)).toEqual({ kind: 'taking', highs: 2 })
  expect(after(slow, slow, {}, slow, slow)).toEqual({ kind: 'taking', highs: 2 })
  expect(after(slow, slow, slow)).toEqual({ kind: 'refusing', reason: 'loopDelayMs' })
  expect(after(full, slow, full)).toEqual({ kind: 'refusing', reason: 'heapPercent' })
})

it('takes work again when all samples are well below their bounds', () => {
  const refusing = [slow, slow, slow]
  expect(after(...refusing, { loopDelayMs: 900 })).toMatchObject({ kind: 'refusing' })
  expect(after(...refusing, { loopDelayMs: 0, heapPercent: 80 })).toMatchObject({ kind: 'refusing' })
  expect(after(...refusing, {})).toEqual(start)
})

it('never refuses a node that is not busy', () => {
  const calm = fc.record({ loopDelayMs: fc.nat(1_000), heapPercent: fc.nat(90) })
  fc.assert(
    fc.property(fc.array(calm), (samples) => {
      expect(after(...samples)).toEqual(start)
    }),
  )
})
