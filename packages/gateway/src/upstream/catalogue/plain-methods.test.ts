import { expect, test } from 'vitest'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { createTestBackend } from '../../../test/support/test-backend.ts'
import { plainMethods } from './plain-methods.ts'

function entryOf(name: string, methods?: readonly string[]): BackendEntry {
  return createTestBackend({ prefix: name }, { name, ...(methods && { methods }) }).entry
}

const everything = { allow: undefined, deny: [] }

test('methods keep their names, regardless of the prefix', () => {
  const [a, b, c] = [entryOf('a', ['add', 'listen.logs']), entryOf('b', ['sum']), entryOf('c')]
  const { owners, collisions } = plainMethods({ backends: [a, b, c], tools: everything })
  expect([...owners]).toEqual([
    ['add', a],
    ['listen.logs', a],
    ['sum', b],
  ])
  expect(collisions).toEqual([])
})

test('a method of two backends has no owner, and neither has a method that a backend names twice', () => {
  const { owners, collisions } = plainMethods({
    backends: [entryOf('a', ['add', 'x', 'x']), entryOf('b', ['add', 'y'])],
    tools: everything,
  })
  expect([...owners.keys()]).toEqual(['y'])
  expect(collisions).toEqual([
    { kind: 'methods', name: 'add', backends: ['a', 'b'] },
    { kind: 'methods', name: 'x', backends: ['a', 'a'] },
  ])
})

test('a denied method does not exist and causes no collision; allowed tools do not affect methods', () => {
  const backends = [entryOf('a', ['add', 'listen.logs', 'listen.all']), entryOf('b', ['add', 'sum'])]
  const { owners, collisions } = plainMethods({ backends, tools: { allow: ['a:echo'], deny: ['a:listen.*', '*:add'] } })
  expect([...owners.keys()]).toEqual(['sum'])
  expect(collisions).toEqual([])
  const all = plainMethods({ backends, tools: { allow: undefined, deny: ['a:*'] } })
  expect([...all.owners.keys()]).toEqual(['add', 'sum'])
})
