import { expect, test } from 'vitest'
import { resultText } from './result-text.ts'

test.each([
  ['text', [{ type: 'text', text: 'hello' }], undefined, 'hello'],
  [
    'texts',
    [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ],
    undefined,
    'one\ntwo',
  ],
  ['an image', [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], undefined, '[image image/png, 3 bytes]'],
  ['a link', [{ type: 'resource_link', uri: 'file:///a', name: 'a' }], undefined, '[link file:///a]'],
  ['a text resource', [{ type: 'resource', resource: { uri: 'file:///a', text: 'held' } }], undefined, 'held'],
  [
    'another resource',
    [{ type: 'resource', resource: { uri: 'file:///a', blob: 'AAAA' } }],
    undefined,
    '[resource file:///a, 3 bytes]',
  ],
  ['an unknown kind', [{ type: 'custom/chart', points: [1] }], undefined, '{"type":"custom/chart","points":[1]}'],
  ['structured content alone', [], { a: 1 }, '{\n  "a": 1\n}'],
  ['nothing', undefined, undefined, ''],
])('%s', (_name, content, structured, expected) => {
  expect(resultText(content, structured)).toBe(expected)
})
