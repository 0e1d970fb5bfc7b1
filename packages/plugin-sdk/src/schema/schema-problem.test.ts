import { expect, it } from 'vitest'
import { describeProblems, jsonPointer, type SchemaProblem } from './schema-problem.ts'

it.each<[string, SchemaProblem, string]>([
  ['a primitive', { path: '/a', expected: 'expected number', got: 'x' }, '- /a: expected number (got "x")'],
  ['nothing', { path: '/a', expected: 'expected number', got: undefined }, '- /a: expected number (got nothing)'],
  ['null', { path: '/a', expected: 'expected number', got: null }, '- /a: expected number (got null)'],
  ['the whole value', { path: '', expected: 'expected object', got: 3 }, '- expected object (got 3)'],
  ['an object, which is not printed', { path: '/a', expected: 'expected text', got: { b: 1 } }, '- /a: expected text'],
  [
    'long text, which is not repeated',
    { path: '/a', expected: 'x', got: 'y'.repeat(41) },
    '- /a: x (got a string of 41 characters)',
  ],
])('a problem contains the path, what was expected, and the value: %s', (_, problem, line) => {
  expect(describeProblems('Bad', [problem])).toBe(`Bad:\n${line}`)
})

it('at most ten problems are listed, followed by the number of the others', () => {
  const problems = Array.from({ length: 12 }, (_, index) => ({ path: `/${index}`, expected: 'x', got: 1 }))
  const lines = describeProblems('Bad', problems).split('\n')
  expect(lines).toHaveLength(12)
  expect(lines.at(-1)).toBe('- and 2 more')
})

it('a pointer escapes the characters that have a meaning in JSON pointers', () => {
  expect(jsonPointer(['a/b', 0, 'c~d'])).toBe('/a~1b/0/c~0d')
})
