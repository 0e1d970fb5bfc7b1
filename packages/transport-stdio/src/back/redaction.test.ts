import { expect, test } from 'vitest'
import { createRedaction } from './redaction.ts'

test.each([
  ['a value', { TOKEN: 'abcdefgh' }, 'got abcdefgh, twice: abcdefgh', 'got ***, twice: ***'],
  ['a value that is part of another', { A: 'abcdefgh', B: 'abcdefghijkl' }, 'abcdefghijkl abcdefgh', '*** ***'],
  ['each line of a value', { KEY: '-----BEGIN\nabcdefgh\r\n' }, 'abcdefgh', '***'],
  ['nothing that is as short as a word', { MODE: 'verbose' }, 'verbose output', 'verbose output'],
  ['nothing when there is nothing', {}, 'text', 'text'],
])('%s is taken out', (_name, environment, text, clean) => {
  expect(createRedaction(environment)(text)).toBe(clean)
})
