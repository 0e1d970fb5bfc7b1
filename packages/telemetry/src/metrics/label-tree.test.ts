import { expect, test } from 'vitest'
import { LabelTree } from './label-tree.ts'

function counts(): LabelTree<{ count: number }> {
  return new LabelTree(() => ({ count: 0 }))
}

test('a cell is found by its values, and is always the same', () => {
  const tree = counts()
  tree.at('a', 'b').count += 1
  tree.at('a', 'b').count += 1
  tree.at('a', 'c').count += 5
  expect([...tree.cells()]).toEqual([
    [['a', 'b'], { count: 2 }],
    [['a', 'c'], { count: 5 }],
  ])
})

test('values whose concatenations are equal stay separate', () => {
  const tree = counts()
  tree.at('ab', 'c').count += 1
  tree.at('a', 'bc').count += 1
  expect([...tree.cells()].map(([values]) => values)).toEqual([
    ['ab', 'c'],
    ['a', 'bc'],
  ])
})

test('names of inherited properties are ordinary values', () => {
  const tree = counts()
  tree.at('__proto__').count += 1
  tree.at('constructor').count += 1
  expect([...tree.cells()].map(([values]) => values)).toEqual([['__proto__'], ['constructor']])
})

test('without labels there is one cell', () => {
  const tree = counts()
  expect([...tree.cells()]).toEqual([])
  tree.at().count += 1
  expect([...tree.cells()]).toEqual([[[], { count: 1 }]])
})
