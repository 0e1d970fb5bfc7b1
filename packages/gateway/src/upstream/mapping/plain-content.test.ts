import { payloadFromText, payloadOf } from '@junctor/jsonrpc'
import { expect, test, vi } from 'vitest'
import { hasPlainContent } from './plain-content.ts'

const text = { type: 'text', text: 'a' }

test.each([
  [{ content: [text, { type: 'image', data: '', mimeType: 'image/png' }] }, true],
  [{ content: [], isError: true }, true],
  [{ content: [text, { type: 'resource_link', uri: 'file:///a' }] }, false],
  [{ content: [{ type: 'resource', resource: { uri: 'file:///a' } }] }, false],
  [{ content: [{ type: 'custom/chart' }] }, false],
  [{ content: [null] }, false],
  [{ content: text }, false],
  [{}, false],
  [[], false],
])('only text, images and audio need no mapping: %j', (result, isPlain) => {
  expect(hasPlainContent('tools/call', payloadOf(result))).toBe(isPlain)
})

test('only results of tools are looked at', () => {
  expect(hasPlainContent('prompts/get', payloadOf({ content: [text] }))).toBe(false)
})

test('a result that was not parsed yet is not parsed', () => {
  const result = payloadFromText(JSON.stringify({ content: [text] }))
  const parse = vi.spyOn(JSON, 'parse')
  expect(hasPlainContent('tools/call', result)).toBe(false)
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})
