import { expect, test } from 'vitest'
import { importsOf } from './imports.ts'

test.each([
  ["import { a } from 'x'", 'x', true],
  ["import a, { type B } from 'x'", 'x', true],
  ["import * as a from 'x'", 'x', true],
  ["import 'x'", 'x', true],
  ["import { type A } from 'x'", 'x', true],
  ["import type { A } from 'x'", 'x', false],
  ["export { a } from 'x'", 'x', true],
  ["export * from 'x'", 'x', true],
  ["export type { A } from 'x'", 'x', false],
  ["const a = await import('x')", 'x', true],
])('%s', (source, specifier, isValue) => {
  expect(importsOf('a.ts', source)).toEqual([{ specifier, isValue }])
})

test.each([
  ['an import in a comment', "// import 'x'"],
  ['an import in a string', 'const a = "import \'x\'"'],
  ['a name that is known only at run time', 'const a = await import(name)'],
  ['a name that is made at run time', 'const a = await import(`./${name}.ts`)'],
  ['its own export', 'export const a = 1'],
])('%s is not an import', (_name, source) => {
  expect(importsOf('a.ts', source)).toEqual([])
})

test('a file that cannot be parsed is an error that names it', () => {
  expect(() => importsOf('broken.ts', 'import {')).toThrow(/^broken\.ts: /)
})
