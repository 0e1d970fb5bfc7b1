import { expect, test } from 'vitest'
import { errorReason } from './error-reason.ts'

test.each([
  [new Error('read ECONNRESET'), 'read ECONNRESET'],
  [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [Object.assign(new Error(), { code: 5 }), 'Error'],
  [new AggregateError([]), 'AggregateError'],
])('the reason of %o is %s', (error, reason) => {
  expect(errorReason(error)).toBe(reason)
})
