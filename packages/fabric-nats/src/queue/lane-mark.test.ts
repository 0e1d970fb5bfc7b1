import { expect, test } from 'vitest'
import { isOpenIn, printLaneMark, readLaneMark } from './lane-mark.ts'

test('a printed mark is read back unchanged, and any other text is not a mark', () => {
  for (const open of [[], [3], [3, 7, 12]]) {
    const mark = { by: 'a-B_9', upTo: 12, open }
    expect(readLaneMark(Buffer.from(printLaneMark(mark)).toString())).toEqual(mark)
  }
  for (const text of ['', 'by', 'by 1x', 'by 1 x', 'by 1 2,,3x']) expect(readLaneMark(text)).toBeUndefined()
})

test('up to the number of a mark, all items that it does not name are done; later items are not', () => {
  const mark = { by: 'x', upTo: 5, open: [2] }
  expect([1, 2, 3, 5, 6].map((number) => isOpenIn(mark, number))).toEqual([false, true, false, false, true])
})
