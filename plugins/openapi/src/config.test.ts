import { expect, it } from 'vitest'
import { config } from './config.ts'

it.each([
  [2_147_483, true],
  [2_147_484, false],
])(
  'a document is read again after %d seconds: %s, because a timer with more fires at once',
  (refreshSeconds, isValid) => {
    expect(config.safeParse({ openapi: './api.json', refreshSeconds }).success).toBe(isValid)
  },
)

it('a header that HTTP does not allow is a problem of the configuration, not of every call', () => {
  const { error } = config.safeParse({ openapi: './api.json', headers: { 'x-key': 'a\nb' } })
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['headers.x-key'])
})
