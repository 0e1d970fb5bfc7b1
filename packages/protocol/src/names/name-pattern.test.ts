import { expect, test } from 'vitest'
import { isName } from './name-pattern.ts'

test.each(['a', '0', 'search', 'my-server-2', 'x'.repeat(64), '550e8400-e29b-41d4-a716-446655440000', 'constructor'])(
  '%s is a name',
  (name) => {
    expect(isName(name)).toBe(true)
  },
)

const wrong = ['', '-a', 'A', 'a_b', 'a.b', 'a b', 'a/b', '../a', 'a\n', 'é', 'a*', 'a>', '__proto__', 'x'.repeat(65)]

test.each([...wrong, undefined, null, 3, {}, ['a']])('%o is not a name', (name) => {
  expect(isName(name)).toBe(false)
})
