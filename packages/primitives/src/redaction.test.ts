import { expect, test } from 'vitest'
import { createRedaction } from './redaction.ts'

test.each([
  ['a value', ['abcdefgh'], 'got abcdefgh, twice: abcdefgh', 'got ***, twice: ***'],
  ['a value that is part of another', ['abcdefgh', 'abcdefghijkl'], 'abcdefghijkl abcdefgh', '*** ***'],
  ['each line of a value', ['-----BEGIN\nabcdefgh\r\n'], 'abcdefgh', '***'],
  ['a value inside JSON', ['pass"wo\\rd'], '{"said":"pass\\"wo\\\\rd"} pass"wo\\rd', '{"said":"***"} ***'],
  ['a value that a regular expression would read', ['a.c*(d)[e]-f/g$'], 'a.c*(d)[e]-f/g$ abc', '*** abc'],
  ['nothing that is as short as a word', ['short'], 'short', 'short'],
  ['nothing when there is nothing', [], 'text', 'text'],
])('%s is removed', (_name, values, text, clean) => {
  expect(createRedaction(values)(text)).toBe(clean)
})
