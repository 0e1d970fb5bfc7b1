import { expect, test } from 'vitest'
import { judgeFolders } from './folders.ts'

const judge = (...imports: (readonly [file: string, specifier: string])[]) =>
  judgeFolders(
    'packages/one',
    ['low', 'high'],
    imports.map(([file, specifier]) => ({ file, specifier })),
  )

test('a folder may import itself, folders below it, and other packages; the file that composes them may import all', () => {
  expect(
    judge(
      ['src/high/a.ts', '../low/b.ts'],
      ['src/high/a.ts', './c.ts'],
      ['src/high/deep/d.ts', '../a.ts'],
      ['src/low/b.ts', 'vitest'],
      ['src/index.ts', './high/a.ts'],
      ['src/index.ts', './low/b.ts'],
    ),
  ).toEqual([])
})

test.each([
  ['a layer above', 'src/low/b.ts', '../high/a.ts', 'imports ../high/a.ts, which lies above it: low < high'],
  ['what puts all together', 'src/high/a.ts', '../index.ts', 'imports ../index.ts, which lies above it: low < high'],
  ['anything, in a folder that is not a layer', 'src/side/a.ts', '../low/b.ts', 'lies in no layer: low, high'],
])('an import of %s is refused', (_what, file, specifier, what) => {
  expect(judge([file, specifier])).toEqual([{ where: `packages/one/${file}`, what }])
})

test('two folders do not import each other, also where both are in one layer', () => {
  expect(judge(['src/low/one/a.ts', '../two/b.ts'], ['src/low/two/c.ts', '../one/d.ts'])).toEqual([
    { where: 'packages/one', what: 'two folders import each other: src/low/one and src/low/two' },
  ])
})
