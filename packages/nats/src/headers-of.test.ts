import { headers } from '@nats-io/transport-node'
import { expect, test } from 'vitest'
import { headersOf } from './headers-of.ts'

test('malformed headers count as none', () => {
  const sent = headers()
  expect(headersOf({ headers: sent })).toBe(sent)
  expect(headersOf({})).toBeUndefined()
  expect(
    headersOf({
      get headers(): never {
        throw new Error('not a valid character in a header name')
      },
    }),
  ).toBeUndefined()
})
