import { describe, expect, test } from 'vitest'
import { judgeDocstrings } from './docstrings.ts'

describe('an export without a docstring is refused:', () => {
  test.each([
    'export const a = 1',
    'export const { a } = b',
    'export function a() {}',
    'export async function* a() {}',
    'export class a {}',
    'export interface a {}',
    'export type a = string',
    'export declare function a(): void',
    'export default class a {}',
    'export default make()',
    'const a = 1\nexport { a }',
    'const a = 1\nexport { a as b }',
    'interface a {}\nexport type { a }',
    'class a {}\nexport default a',
  ])('%s', (source) => {
    expect(judgeDocstrings('a.ts', source)).toEqual([
      expect.stringMatching(/^exports (?:a|default|a pattern) without a docstring, in line 1$/),
    ])
    expect(judgeDocstrings('a.ts', `/** What it is for. */\n${source}`)).toEqual([])
  })

  test.each([
    ['only a comment', '// What it is for.\n'],
    ['a block comment', '/* What it is for. */\n'],
    ['an empty docstring', '/** */\n'],
    ['a blank line after the docstring', '/** What it is for. */\n\n'],
    ['the docstring of the declaration before', '/** What it is for. */\nconst b = 1\n'],
    ['the docstring of a member before', 'interface B {\n  /** What it is for. */\n  c: string\n}\n'],
  ])('%s', (_name, before) => {
    expect(judgeDocstrings('a.ts', `${before}export const a = 1`)).toHaveLength(1)
  })
})

test.each([
  ['a declaration that is not exported', 'const a = 1'],
  ['a list of names of other files', "export { a } from './a.ts'\nexport * as b from './b.ts'"],
  ['an export in a string', 'const a = `\nexport const b = 1`'],
  ['a docstring of many lines', '/**\n * What it is for.\n */\nexport const a = 1'],
  ['a comment after the docstring', '/** What it is for. */\n// oxlint-disable-next-line x\nexport const a = 1'],
  [
    'one docstring for all overloads',
    '/** What it is for. */\nexport function a(b: string): void\nexport function a(b: number): void\nexport function a() {}',
  ],
])('%s is fine', (_name, source) => {
  expect(judgeDocstrings('a.ts', source)).toEqual([])
})

test('names each export and its line', () => {
  expect(judgeDocstrings('a.ts', '/** A. */\nexport const a = 1\nexport const b = 2\n\nexport type C = 3')).toEqual([
    'exports b without a docstring, in line 3',
    'exports C without a docstring, in line 5',
  ])
})
