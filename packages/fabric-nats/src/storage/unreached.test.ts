import { expect, test } from 'vitest'
import { undeliverableItems } from './unreached.ts'

test.each([
  ['nothing is there', { onLoan: 0, delivered: 9, items: 0, last: 9 }, 0],
  ['all are on loan', { onLoan: 4, delivered: 9, items: 4, last: 9 }, 0],
  ['some are still to be delivered', { onLoan: 4, delivered: 9, items: 7, last: 12 }, 0],
  ['some of those have been done since', { onLoan: 4, delivered: 9, items: 3, last: 12 }, 0],
  ['removed ones are back', { onLoan: 4, delivered: 9, items: 10, last: 12 }, 3],
  ['an acknowledgement has led past some', { onLoan: 1, delivered: 9, items: 6, last: 9 }, 5],
  ['numbers begin anew', { onLoan: 0, delivered: 9, items: 2, last: 2 }, 2],
])('%s', (_what, state, count) => {
  expect(undeliverableItems(state)).toBe(count)
})
