import { type JsonObject, type Payload, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { describe, expect, test } from 'vitest'
import { downgradeResult } from './downgrade-result.ts'

const text = { type: 'text', text: 'hi' }
const image = { type: 'image', data: 'AA==', mimeType: 'image/png' }
const audio = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav', annotations: { priority: 1 } }
const link = {
  type: 'resource_link',
  uri: 'files+file:///a.txt',
  name: 'a',
  title: 'The A',
  description: 'First letter',
}
const embeddedAudio = {
  type: 'resource',
  resource: { uri: 'attachment://audio/1', mimeType: 'audio/wav', blob: 'UklGRg==' },
  annotations: { priority: 1 },
}
const linkText = { type: 'text', text: 'The A: files+file:///a.txt\nFirst letter' }

const printed = (payload: Payload): unknown => JSON.parse(printPayload(payload))
const toolResult = (result: JsonObject, revision: '2024-11-05' | '2025-03-26'): unknown =>
  printed(downgradeResult('tools/call', payloadOf(result), revision, '2025-11-25'))

describe('does not parse', () => {
  /** Throws when its text or value is read. */
  const unread: Payload = {
    get text(): string {
      throw new Error('text was read')
    },
    value() {
      throw new Error('value was read')
    },
  }

  test.each(['2025-06-18', '2025-11-25', '2026-07-28'] as const)('a result for a client of %s', (revision) => {
    expect(downgradeResult('tools/call', unread, revision, '2025-11-25')).toBe(unread)
  })

  test('a result of a method whose results are the same in all revisions', () => {
    expect(downgradeResult('resources/read', unread, '2024-11-05', '2025-11-25')).toBe(unread)
  })

  test('a result without newer features', () => {
    const result = payloadOf({ content: [text, image], isError: false, _meta: { a: 1 }, 'x-new': 1 })
    expect(downgradeResult('tools/call', result, '2024-11-05', '2025-11-25')).toBe(result)
  })
})

describe('structured content that is no object, of a server of 2026-07-28', () => {
  const from = '2026-07-28'
  const mirror = { type: 'text', text: '[1,2]' }

  test.each(['2025-06-18', '2025-11-25'] as const)('is text for %s', (revision) => {
    const spaced = payloadFromText('{"content":[],"structuredContent" : [1,2]}')
    expect(printed(downgradeResult('tools/call', spaced, revision, from))).toEqual({ content: [mirror] })
    const value = payloadOf({ content: [mirror], structuredContent: [1, 2] })
    expect(printed(downgradeResult('tools/call', value, revision, from))).toEqual({ content: [mirror] })
    const none = payloadOf({ content: [text], structuredContent: null })
    expect(printed(downgradeResult('tools/call', none, revision, from))).toEqual({ content: [text] })
  })

  test('stays for 2026-07-28, and an object stays for all', () => {
    const list = payloadOf({ content: [], structuredContent: [1, 2] })
    expect(downgradeResult('tools/call', list, '2026-07-28', from)).toBe(list)
    const object = payloadFromText('{"content":[],"structuredContent":{"a":1}}')
    expect(downgradeResult('tools/call', object, '2025-11-25', from)).toBe(object)
  })
})

describe('tool results', () => {
  test('audio becomes an embedded resource for 2024-11-05', () => {
    expect(toolResult({ content: [text, audio] }, '2024-11-05')).toEqual({ content: [text, embeddedAudio] })
  })

  test('audio stays for 2025-03-26', () => {
    expect(toolResult({ content: [audio, link] }, '2025-03-26')).toEqual({ content: [audio, linkText] })
  })

  test('two audio blocks become two resources', () => {
    const result = toolResult({ content: [audio, audio] }, '2024-11-05') as { content: { resource: { uri: string } }[] }
    expect(result.content.map(({ resource }) => resource.uri)).toEqual(['attachment://audio/0', 'attachment://audio/1'])
  })

  test.each([
    [{ uri: 'x:y', name: 'n' }, 'n: x:y'],
    [{ uri: 'x:y', name: '', title: '' }, 'x:y'],
    [{ uri: 'x:y', name: 'n', title: 3 }, 'n: x:y'],
    [{}, ''],
  ])('a link %o becomes text', (more, expected) => {
    const result = toolResult({ content: [{ type: 'resource_link', ...more }] }, '2025-03-26')
    expect(result).toEqual({ content: [{ type: 'text', text: expected }] })
  })

  test('structured content is replaced by a text block with it', () => {
    expect(toolResult({ content: [text], structuredContent: { a: [1] }, isError: false }, '2025-03-26')).toEqual({
      content: [text, { type: 'text', text: '{"a":[1]}' }],
      isError: false,
    })
  })

  test('structured content that a text block already contains is not repeated', () => {
    const mirror = { type: 'text', text: '{ "b": {"d": null},\n "a": [1, 2] }' }
    const structuredContent = { a: [1, 2], b: { d: null } }
    expect(toolResult({ content: [mirror], structuredContent }, '2024-11-05')).toEqual({ content: [mirror] })
  })

  test.each(['{}', '{"a":[1]}', '{"a":[2,1]}', '{"a":[1,2],"b":1}', '{"a":null}', '[1,2]', 'null', 'a: 1, 2'])(
    'a text block %s is not the same as {"a":[1,2]}',
    (other) => {
      const block = { type: 'text', text: other }
      expect(toolResult({ content: [block], structuredContent: { a: [1, 2] } }, '2024-11-05')).toEqual({
        content: [block, { type: 'text', text: '{"a":[1,2]}' }],
      })
    },
  )

  test('numbers that exceed a double are preserved', () => {
    const result = payloadFromText('{"content":[],"structuredContent":{"id":9007199254740993},"_meta":{"n":1e400}}')
    const older = printPayload(downgradeResult('tools/call', result, '2025-03-26', '2025-11-25'))
    expect(older).toBe('{"content":[{"type":"text","text":"{\\"id\\":9007199254740993}"}],"_meta":{"n":1e400}}')
  })

  test.each([null, [], 'x', {}, { content: 'x' }, { content: [null, 3, 'x', [audio]] }])(
    'a value that is not a tool result (%o) is unchanged',
    (odd) => {
      const result = payloadOf(odd)
      expect(downgradeResult('tools/call', result, '2024-11-05', '2025-11-25')).toBe(result)
    },
  )
})

describe('prompts', () => {
  const messages = [
    { role: 'user', content: text },
    { role: 'user', content: audio },
    { role: 'assistant', content: link },
  ]

  test('are converted message by message', () => {
    const result = downgradeResult('prompts/get', payloadOf({ description: 'd', messages }), '2024-11-05', '2025-11-25')
    expect(printed(result)).toEqual({
      description: 'd',
      messages: [
        { role: 'user', content: text },
        { role: 'user', content: embeddedAudio },
        { role: 'assistant', content: linkText },
      ],
    })
  })

  test.each([{}, { messages: null }, { messages: [null, 1, { role: 'user' }, { content: [audio] }] }])(
    'a value that is not a prompt (%o) is unchanged',
    (odd) => {
      const result = payloadOf(odd)
      expect(downgradeResult('prompts/get', result, '2024-11-05', '2025-11-25')).toBe(result)
    },
  )
})
