import { type JsonValue, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { embedCustom } from './custom-content.ts'

const text = { type: 'text', text: 'hi' }
const chart = { type: 'custom/chart', data: [1, 2.5], metadata: { chartType: 'bar' } }
const embedded = {
  type: 'resource',
  resource: {
    uri: 'attachment://custom/chart/1',
    mimeType: 'custom/chart',
    text: '{"data":[1,2.5],"metadata":{"chartType":"bar"}}',
  },
}

const shown = (result: string): unknown => JSON.parse(printPayload(embedCustom('tools/call', payloadFromText(result))))

test.each([
  ['unescaped', JSON.stringify({ content: [text, chart], isError: false })],
  [
    'written with escapes',
    `{"content":[${JSON.stringify(text)},${JSON.stringify(chart).replace('/', '\\/')}],"isError":false}`,
  ],
  [
    'written with other escapes',
    `{"content":[${JSON.stringify(text)},${JSON.stringify(chart).replace('custom', '\\u0063ustom')}],"isError":false}`,
  ],
])('content of a custom type, %s, becomes an embedded resource', (_, result) => {
  expect(shown(result)).toEqual({ content: [text, embedded], isError: false })
  expect(embedCustom('tools/call', payloadOf(JSON.parse(result) as JsonValue)).value()).toEqual({
    content: [text, embedded],
    isError: false,
  })
})

test('common members stay on the block, numbers keep their text, and each block has its own URI', () => {
  const block = '{"type":"custom/x y","annotations":{"priority":1},"_meta":{"a":1},"n":"1"}'
  expect(shown(`{"content":[${block},${block}],"total":1.0}`)).toEqual({
    content: [0, 1].map((place) => ({
      type: 'resource',
      resource: { uri: `attachment://custom/x%20y/${place}`, mimeType: 'custom/x y', text: '{"n":"1"}' },
      annotations: { priority: 1 },
      _meta: { a: 1 },
    })),
    total: 1,
  })
})

test('a type that is no text of Unicode becomes a URI nevertheless', () => {
  expect(shown('{"content":[{"type":"custom/\\ud800","n":1}]}')).toMatchObject({
    content: [{ type: 'resource', resource: { uri: 'attachment://custom/%EF%BF%BD/0', text: '{"n":1}' } }],
  })
})

test.each([
  '{"content":[{"type":"text","text":"\\"custom/chart\\""}]}',
  '{"content":5}',
  '{}',
  '[]',
  '{"content":[null,5,{"type":7}]}',
])('%s is unchanged', (result) => {
  const payload = payloadFromText(result)
  expect(embedCustom('tools/call', payload)).toBe(payload)
})

test('results of other methods are not inspected', () => {
  const payload = payloadFromText('{"content":[{"type":"custom/chart"}]}')
  expect(embedCustom('resources/read', payload)).toBe(payload)
})
