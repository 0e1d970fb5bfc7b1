import { expect, test } from 'vitest'
import { loanVerdict, printLoanNote, readLoanNote } from './loan-note.ts'

test.each([
  ['held', 7, 1_000, { kind: 'lend' }],
  ['held', 7, 1_001, { kind: 'lend' }],
  ['held', 7, 400, { kind: 'held', waitMs: 600 }],
  ['free', 7, 0, { kind: 'lend' }],
  ['done', 7, 5_000, { kind: 'done' }],
  // The id was pushed again after an earlier item.
  ['done', 6, 0, { kind: 'lend' }],
  ['held', 6, 0, { kind: 'lend' }],
  // The delivered item is an earlier one, which came back.
  ['held', 8, 0, { kind: 'done' }],
  ['free', 8, 0, { kind: 'done' }],
] as const)('item 7, and a note that item of %s %i is so since %i ms', (state, item, ageMs, verdict) => {
  expect(loanVerdict(7, { state, item }, ageMs, 1_000)).toEqual(verdict)
})

test('a note is read as it was printed', () => {
  const note = { state: 'done', item: 12_345 } as const
  expect(readLoanNote(Buffer.from(printLoanNote(note)).toString())).toEqual(note)
})

test.each(['', 'held', 'held x', 'other 3'])('%j is not a note', (text) => {
  expect(readLoanNote(text)).toBeUndefined()
})
