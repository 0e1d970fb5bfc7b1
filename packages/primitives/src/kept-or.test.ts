import { expect, it } from 'vitest'
import { keptOr } from './kept-or.ts'

it('makes a value once', () => {
  const kept = new Map<string, string[]>()
  keptOr(kept, 'a', () => []).push('first')
  keptOr(kept, 'a', () => []).push('second')
  expect(kept.get('a')).toEqual(['first', 'second'])
})

it('keeps the values of objects', () => {
  const kept = new WeakMap<object, number>()
  const key = {}
  expect(keptOr(kept, key, () => 0)).toBe(0)
  expect(keptOr(kept, key, () => 1)).toBe(0)
})
