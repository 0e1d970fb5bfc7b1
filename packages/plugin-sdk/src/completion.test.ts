import { expect, it } from 'vitest'
import { toCompleteResult } from './completion.ts'

it.each([
  [0, 0, false],
  [100, 100, false],
  [101, 100, true],
])('of %i proposals %i are sent, and `hasMore` is %s', (count, sent, hasMore) => {
  const { completion } = toCompleteResult(Array.from({ length: count }, (_, index) => `${index}`))
  expect(completion.values).toHaveLength(sent)
  expect(completion).toMatchObject({ total: count, hasMore })
})
