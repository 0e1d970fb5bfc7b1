import { expect, test } from 'vitest'
import { commandWords } from './command-words.ts'

test.each([
  ['npx -y server', ['npx', '-y', 'server']],
  ['  spaced   out  ', ['spaced', 'out']],
  ['"my program" x', ['my program', 'x']],
  ["it's", undefined],
  ['\'single "inner"\'', ['single "inner"']],
  ['a"b c"d', ['ab cd']],
  ['"a \\" b" c\\ d', ['a " b', 'c d']],
  ['"C:\\dir" x', ['C:\\dir', 'x']],
  ['C:\\tools\\server.exe --root D:\\data\\', ['C:\\tools\\server.exe', '--root', 'D:\\data\\']],
  ['\\\\host\\share\\run.exe a\\"b', ['\\\\host\\share\\run.exe', 'a"b']],
  ['node --match ^\\d+$', ['node', '--match', '^\\d+$']],
  ['"" x', ['', 'x']],
  ['"open', undefined],
  ['$HOME | tee ${env:A}', ['$HOME', '|', 'tee', '${env:A}']],
  ['', []],
])('%j', (line, words) => {
  expect(commandWords(line)).toEqual(words)
})
