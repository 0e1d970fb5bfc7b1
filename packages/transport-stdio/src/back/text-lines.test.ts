import { expect, test } from 'vitest'
import { createTextLines } from './text-lines.ts'

function linesOf(...chunks: readonly (string | Buffer)[]): readonly string[] {
  const lines: string[] = []
  const decoder = createTextLines(10, (line) => lines.push(line))
  for (const chunk of chunks) decoder.push(Buffer.from(chunk))
  decoder.end()
  return lines
}

test.each<[string, readonly (string | Buffer)[], readonly string[]]>([
  ['lines in one chunk', ['a\nb\n'], ['a', 'b']],
  ['lines in many chunks', ['a', 'b', '\nc', '\n'], ['ab', 'c']],
  ['a last line without a newline', ['a\nb'], ['a', 'b']],
  ['carriage returns and empty lines', ['a\r\n\r\n\n  \nb'], ['a', 'b']],
  ['a line that is too long', ['0123456789abc\nd'], ['0123456789', 'd']],
  ['a line that is too long, in many chunks', ['01234567', '89abc', 'def\ng'], ['0123456789', 'g']],
  ['a character in two chunks', [Buffer.from([0xc3]), Buffer.from([0xa4, 0x0a])], ['ä']],
  ['bytes that are not UTF-8', [Buffer.from([0x61, 0xff, 0x0a])], ['a\uFFFD']],
  ['nothing', [], []],
])('%s', (_name, chunks, expected) => {
  expect(linesOf(...chunks)).toEqual(expected)
})
