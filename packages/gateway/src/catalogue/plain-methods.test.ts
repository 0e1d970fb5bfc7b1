import { expect, test } from 'vitest'
import type { BackendEntry } from '../backend-entry.ts'
import { createTestBackend } from '../../test/support/test-backend.ts'
import { plainMethods } from './plain-methods.ts'

function entryOf(name: string, methods?: readonly string[]): BackendEntry {
  return createTestBackend({ prefix: name }, { name, ...(methods && { methods }) }).entry
}

test('methods keep their names, whatever the prefix', () => {
  const [a, b, c] = [entryOf('a', ['add', 'listen.logs']), entryOf('b', ['sum']), entryOf('c')]
  const { owners, collisions } = plainMethods({ backends: [a, b, c] })
  expect([...owners]).toEqual([
    ['add', a],
    ['listen.logs', a],
    ['sum', b],
  ])
  expect(collisions).toEqual([])
})

test('a method of two backends is nobody’s, and one that a backend names twice too', () => {
  const { owners, collisions } = plainMethods({
    backends: [entryOf('a', ['add', 'x', 'x']), entryOf('b', ['add', 'y'])],
  })
  expect([...owners.keys()]).toEqual(['y'])
  expect(collisions).toEqual([
    { kind: 'methods', name: 'add', backends: ['a', 'b'] },
    { kind: 'methods', name: 'x', backends: ['a', 'a'] },
  ])
})
