import { expect, test } from 'vitest'
import { LabelTree } from './label-tree.ts'

function counts(): LabelTree<{ count: number }> {
  return new LabelTree(() => ({ count: 0 }))
}

test('a cell is found by its values, and is always the same', () => {
  const tree = counts()
  tree.at('a').at('b').cell.count += 1
  tree.at('a').at('b').cell.count += 1
  tree.at('a').at('c').cell.count += 5
  expect([...tree.cells()]).toEqual([
    [['a', 'b'], { count: 2 }],
    [['a', 'c'], { count: 5 }],
  ])
})

test('values whose concatenations are equal stay separate', () => {
  const tree = counts()
  tree.at('ab').at('c').cell.count += 1
  tree.at('a').at('bc').cell.count += 1
  expect([...tree.cells()].map(([values]) => values)).toEqual([
    ['ab', 'c'],
    ['a', 'bc'],
  ])
})

test('names of inherited properties are ordinary values', () => {
  const tree = counts()
  tree.at('__proto__').cell.count += 1
  tree.at('constructor').cell.count += 1
  expect([...tree.cells()].map(([values]) => values)).toEqual([['__proto__'], ['constructor']])
})

test('without labels there is one cell', () => {
  const tree = counts()
  expect([...tree.cells()]).toEqual([])
  tree.cell.count += 1
  expect([...tree.cells()]).toEqual([[[], { count: 1 }]])
})
