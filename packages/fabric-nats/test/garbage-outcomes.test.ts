import type { Outcome } from '@junctor/exchange'
import { createRequest, recordExchange } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { pairFixture } from './pair-fixture.ts'

const pair = pairFixture()

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['no kind', {}],
  ['no result', { kind: 'complete' }],
  ['a result that is not a payload', { kind: 'complete', result: {} }],
])('a handler that returns %s is an error, and no caller waits', async (name, outcome) => {
  await pair.far.fabric.serve(`sync ${name}`, () => outcome as Outcome)
  await pair.far.fabric.serve(`later ${name}`, async () => outcome as Outcome)
  for (const service of [`sync ${name}`, `later ${name}`]) {
    const answer = await pair.near.fabric.call({ service }, createRequest('m'), recordExchange().exchange)
    expect(answer.kind).toBe('error')
  }
})
