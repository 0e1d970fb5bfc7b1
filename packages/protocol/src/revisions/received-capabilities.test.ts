import { expect, test } from 'vitest'
import { mcpExtensions } from '../mcp-extensions.ts'
import { receivedCapabilities } from './received-capabilities.ts'

const { apps, tasks } = mcpExtensions
const extensions = {
  [apps]: { mimeTypes: ['text/html;profile=mcp-app', 'text/x'], more: 1 },
  [tasks]: {},
  'com.example/a': { level: 1 },
  'com.example/b': {},
  'com.example/bad': 1,
}
const capabilities = { roots: {}, extensions }

test('at an endpoint of several backends, only what can be routed and what is named passes', () => {
  const reduced = { [apps]: { mimeTypes: ['text/html;profile=mcp-app'] }, [tasks]: {} }
  expect(receivedCapabilities(capabilities, [])).toEqual({ roots: {}, extensions: reduced })
  expect(receivedCapabilities(capabilities, ['com.example/a'])).toEqual({
    roots: {},
    extensions: { ...reduced, 'com.example/a': { level: 1 } },
  })
})

test.each([
  ['text/html', []],
  [['text/html;profile=mcp-app', 'text/x-nonce', 1], ['text/html;profile=mcp-app']],
])('of the media types %j, only those that hosts know pass', (mimeTypes, known) => {
  const received = receivedCapabilities({ extensions: { [apps]: { mimeTypes } } }, [])
  expect(received).toEqual({ extensions: { [apps]: { mimeTypes: known } } })
  expect(receivedCapabilities({ extensions: { [apps]: 1 } }, [])).toEqual({ extensions: {} })
})

test('at the endpoint of one backend, all passes that is an object', () => {
  const { 'com.example/bad': _, ...all } = extensions
  expect(receivedCapabilities(capabilities, 'all')).toEqual({ roots: {}, extensions: all })
})

test('capabilities without extensions are the same object; extensions that are no object are none', () => {
  const plain = { roots: {} }
  expect(receivedCapabilities(plain, [])).toBe(plain)
  expect(receivedCapabilities({ extensions: [1] }, 'all')).toEqual({ extensions: {} })
})
