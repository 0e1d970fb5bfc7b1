import { type JsonValue, payloadOf } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { judgeMirrors } from './judge-mirrors.ts'

const version = '2026-07-28'
const right = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': 'echo' }

function judged(headers: Readonly<Record<string, string>>, method: string, params?: JsonValue): string | undefined {
  const request = { method, params: params === undefined ? undefined : payloadOf(params) }
  return judgeMirrors(request, version, (name) => headers[name])
}

test.each([
  ['a call', right, 'tools/call', { name: 'echo' }],
  ['a list, which has no name', { ...right, 'mcp-method': 'tools/list' }, 'tools/list', {}],
  [
    'a read',
    { ...right, 'mcp-method': 'resources/read', 'mcp-name': 'file:///a' },
    'resources/read',
    { uri: 'file:///a' },
  ],
  ['a prompt', { ...right, 'mcp-method': 'prompts/get' }, 'prompts/get', { name: 'echo' }],
  ['an encoded name', { ...right, 'mcp-name': '=?base64?5LiW55WM?=' }, 'tools/call', { name: '世界' }],
  ['a method without params', { ...right, 'mcp-method': 'server/discover' }, 'server/discover', undefined],
])('%s whose headers repeat it passes', (_, headers, method, params) => {
  expect(judged(headers, method, params)).toBeUndefined()
})

test.each([
  ['another version', { ...right, 'mcp-protocol-version': '2025-11-25' }, 'MCP-Protocol-Version is "2025-11-25"'],
  ['no version', { 'mcp-method': 'tools/call', 'mcp-name': 'echo' }, 'Expected the header MCP-Protocol-Version'],
  ['another method', { ...right, 'mcp-method': 'prompts/list' }, 'Mcp-Method is "prompts/list"'],
  ['a method in another case', { ...right, 'mcp-method': 'TOOLS/CALL' }, 'Mcp-Method is "TOOLS/CALL"'],
  ['no method', { 'mcp-protocol-version': version, 'mcp-name': 'echo' }, 'Expected the header Mcp-Method'],
  ['another name', { ...right, 'mcp-name': 'wrong' }, 'Mcp-Name is "wrong"'],
  ['no name', { 'mcp-protocol-version': version, 'mcp-method': 'tools/call' }, 'Expected the header Mcp-Name'],
  ['a name that cannot be decoded', { ...right, 'mcp-name': '=?base64?ZWNobw?=' }, 'cannot be decoded'],
])('%s is a mismatch', (_, headers, problem) => {
  expect(judged(headers, 'tools/call', { name: 'echo' })).toContain(problem)
})

test('a name that is missing in the body is not the concern of the headers', () => {
  expect(judged(right, 'tools/call', {})).toBeUndefined()
})
