import { expect, test } from 'vitest'
import { aliveEveryMs, NodeTable } from './node-table.ts'

test('a node joins when it is first heard, and again after it has left', () => {
  const table = new NodeTable()
  expect(table.alive('a', 0)).toBe(true)
  expect(table.alive('a', 1)).toBe(false)
  expect([...table.nodes]).toEqual(['a'])
  expect(table.left('a')).toBe(true)
  expect(table.left('a')).toBe(false)
  expect(table.size).toBe(0)
  expect(table.alive('a', 2)).toBe(true)
})

test('a node that misses three times has left, one that was heard has not', () => {
  const table = new NodeTable()
  table.alive('silent', 0)
  table.alive('alive', 0)
  table.alive('alive', aliveEveryMs)
  expect(table.expire(3 * aliveEveryMs - 1)).toEqual([])
  expect(table.expire(3 * aliveEveryMs)).toEqual(['silent'])
  expect(table.expire(3 * aliveEveryMs)).toEqual([])
  expect([...table.nodes]).toEqual(['alive'])
})
