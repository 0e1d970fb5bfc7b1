import { recordExchange } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { KnownContexts } from './known-contexts.ts'

const { context } = recordExchange().exchange

test('the least recently used contexts are removed first', () => {
  const known = new KnownContexts(100)
  known.keep('a', context, 40)
  known.keep('b', context, 40)
  known.get('a')
  known.keep('c', context, 40)
  expect(['a', 'b', 'c'].map((name) => known.get(name) === context)).toEqual([true, false, true])
})

test('a context that is larger than the limit is not kept', () => {
  const known = new KnownContexts(100)
  known.keep('a', context, 40)
  known.keep('huge', context, 101)
  expect(['a', 'huge'].map((name) => known.get(name) === context)).toEqual([true, false])
})
