import { expect, test } from 'vitest'
import { isRepeatable, readMetadata } from './read-metadata.ts'
import { readRegistry } from './read-registry.ts'

const printed = {
  name: 'tool-name',
  title: 'Human Readable Name',
  description: 'What this tool does',
  version: '1.0.0',
  inputSchema: {
    type: 'object',
    properties: { param1: { type: 'string', description: 'Parameter description' } },
    required: ['param1'],
  },
}

test('the description that the document prints is a tool', () => {
  const { version: _, ...tool } = printed
  expect(readMetadata(printed)).toEqual({ kind: 'tool', tool })
})

test('without a schema, a tool takes any object', () => {
  expect(readMetadata({ name: 'a' })).toEqual({
    kind: 'tool',
    tool: { name: 'a', description: '', inputSchema: { type: 'object', properties: {} } },
  })
})

test.each([
  [null, 'an object'],
  ['text', 'an object'],
  [[], 'an object'],
  [{}, '"name"'],
  [{ name: 3 }, '"name"'],
  [{ name: 'a', description: 3 }, '"description"'],
  [{ name: 'a', inputSchema: null }, '"inputSchema"'],
  [{ name: 'a', inputSchema: [] }, '"inputSchema"'],
])('%j is no tool', (answer, why) => {
  expect(readMetadata(answer)).toEqual({ kind: 'unusable', why: expect.stringContaining(why) })
})

test.each([
  [undefined, false],
  [{ readOnlyHint: true }, true],
  [{ idempotentHint: true }, true],
  [{ readOnlyHint: 'yes', destructiveHint: true }, false],
])('a tool with the annotations %j may be called again: %s', (annotations, repeatable) => {
  expect(isRepeatable(annotations === undefined ? {} : { annotations })).toBe(repeatable)
})

test('a registry lists URLs, also relative ones; entries that are none are counted', () => {
  const entries = ['https://a.example/', { url: 'weather' }, { name: 'x' }, 3, null, 'ftp://b/', 'http://me:pw@c/']
  const expected = {
    kind: 'components',
    urls: ['https://a.example/', 'https://r.example/tools/weather'],
    ignored: 5,
  }
  expect(readRegistry({ components: entries }, 'https://r.example/tools/list.json')).toEqual(expected)
  expect(readRegistry(entries, 'https://r.example/tools/list.json')).toEqual(expected)
})

test.each([null, 3, 'text', {}, { components: 'a' }, { components: Array(1_001).fill('http://a/') }])(
  '%j is no registry',
  (document) => {
    expect(readRegistry(document, 'https://r.example/').kind).toBe('unusable')
  },
)
