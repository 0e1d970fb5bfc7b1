import { payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { expect, test } from 'vitest'
import { GatheredChunks } from './gathered-chunks.ts'

function gather(method: string, chunks: readonly unknown[], result = '{"content":[]}'): unknown {
  const gathered = new GatheredChunks(method, 1000, mcpProfile)
  for (const chunk of chunks) gathered.add(chunk)
  return JSON.parse(printPayload(gathered.into(payloadFromText(result))))
}

const text = (value: string): object => ({ type: 'text', text: value })
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }

test.each([
  ['consecutive strings become one text', ['a', 'b"'], [text('ab"')]],
  ['an object with a type is a content block', ['a', image, 'b'], [text('a'), image, text('b')]],
  ['an array is several', [['a', image]], [text('a'), image]],
  [
    'a block of an own type is an embedded resource of it',
    ['a', { type: 'custom/chart', data: [1] }],
    [
      text('a'),
      {
        type: 'resource',
        resource: { uri: 'attachment://custom/chart/chunk-0', mimeType: 'custom/chart', text: '{"data":[1]}' },
      },
    ],
  ],
  ['other JSON is text that shows it', [{ row: 1 }, 2, null], [text('{"row":1}'), text('2'), text('null')]],
  ['what JSON has no form for is null', [undefined], [text('null')]],
  ['an empty string is nothing', ['', ''], []],
])('in the result of a tool, %s', (_name, chunks, content) => {
  expect(gather('tools/call', chunks)).toEqual({ content })
})

test('chunks are placed before the content of the result, which is unchanged', () => {
  const gathered = new GatheredChunks('tools/call', 1000, mcpProfile)
  gathered.add('a')
  const result = payloadFromText(
    '{"structuredContent":{"n":9007199254740993},"content":[{"type":"text","text":"\\u0062"}]}',
  )
  expect(printPayload(gathered.into(result))).toBe(
    '{"structuredContent":{"n":9007199254740993},"content":[{"type":"text","text":"a"},{"type":"text","text":"\\u0062"}]}',
  )
})

test.each([
  ['has no content', '{}'],
  ['is not an object', 'null'],
])('the result of a tool that %s gets content', (_name, result) => {
  expect(gather('tools/call', ['a'], result)).toEqual({ content: [text('a')] })
})

test('in other results the chunks are a separate member', () => {
  expect(gather('listen.logs', ['a', { level: 1 }], '{"done":true}')).toEqual({
    done: true,
    chunks: ['a', { level: 1 }],
  })
})

test('other results that are not an object become a member next to the chunks', () => {
  expect(gather('listen.logs', ['a'], '"End of logs"')).toEqual({ chunks: ['a'], result: 'End of logs' })
})

test('keeps chunks up to the limit, and nothing above it', () => {
  const gathered = new GatheredChunks('tools/call', 4, mcpProfile)
  gathered.add('abcd')
  expect(gathered.overflowed).toBe(false)
  gathered.add('e')
  gathered.add(image)
  expect(gathered.overflowed).toBe(true)
  expect(printPayload(gathered.into(payloadOf({})))).toBe('{"content":[]}')
})
