import { expect, test } from 'vitest'
import { aliveEveryMs, AnnouncedNodes } from './announced-nodes.ts'

test('a node joins with its first announcement, and again after it has left', () => {
  const table = new AnnouncedNodes()
  expect(table.alive('a', 'x', {}, 0)).toBe('joined')
  expect(table.alive('a', 'x', {}, 1)).toBe('known')
  expect(table.nodes).toEqual([['a', {}]])
  expect(table.left('a')).toBe(true)
  expect(table.left('a')).toBe(false)
  expect(table.size).toBe(0)
  expect(table.alive('a', 'x', {}, 2)).toBe('joined')
})

test('a node that is started again under the same name replaces the earlier one', () => {
  const table = new AnnouncedNodes()
  table.alive('a', 'x', {}, 0)
  expect(table.alive('a', 'y', {}, 1)).toBe('replaced')
  expect(table.alive('a', 'y', {}, 2)).toBe('known')
  expect(table.size).toBe(1)
})

test('a node that misses three announcements has left, one that was received has not', () => {
  const table = new AnnouncedNodes()
  table.alive('silent', 'x', {}, 0)
  table.alive('alive', 'x', {}, 0)
  table.alive('alive', 'x', {}, aliveEveryMs)
  expect(table.expire(3 * aliveEveryMs - 1)).toEqual([])
  expect(table.expire(3 * aliveEveryMs)).toEqual(['silent'])
  expect(table.expire(3 * aliveEveryMs)).toEqual([])
  expect(table.nodes).toEqual([['alive', {}]])
})

test('a node with a different announcement has changed, once', () => {
  const table = new AnnouncedNodes()
  table.alive('a', 'x', { role: 'worker' }, 0)
  expect(table.alive('a', 'x', { role: 'worker' }, 1)).toBe('known')
  expect(table.alive('a', 'x', { role: 'gateway' }, 2)).toBe('changed')
  expect(table.alive('a', 'x', { role: 'gateway' }, 3)).toBe('known')
  expect(table.nodes).toEqual([['a', { role: 'gateway' }]])
})
