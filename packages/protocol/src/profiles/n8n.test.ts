import { payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { negotiate } from '../revisions/negotiate.ts'
import { canonicalMethod } from '../profile.ts'
import { n8nProfile } from './n8n.ts'

const at = { revision: '2024-11-05', now: 0 } as const

test.each(['2024-11-05', '2025-11-25', '1999-01-01', 3, undefined])(
  'a client that asks for %j gets 2024-11-05',
  (asked) => {
    expect(negotiate(asked, n8nProfile)).toBe('2024-11-05')
  },
)

test.each([undefined, '2024-11-05', '2025-11-25'] as const)('an unreadable id is null at %s', (revision) => {
  expect(n8nProfile.nullId(revision)).toBe(true)
})

test('`initialized` is an alias of the notification, and the only alias', () => {
  expect(canonicalMethod(n8nProfile, 'initialized')).toBe('notifications/initialized')
  expect(canonicalMethod(n8nProfile, 'tools/list')).toBe('tools/list')
})

test('the initialize result is exactly as the document prints it, in the same order', () => {
  const serverInfo = { name: 'mcp-n8n', version: '0.4.0' }
  const capabilities = { logging: {}, tools: { listChanged: true } }
  const result = payloadOf({ protocolVersion: '2024-11-05', capabilities, serverInfo, instructions: 'Use it.' })
  expect(printPayload(n8nProfile.results['initialize']?.(result, at) ?? result)).toBe(
    '{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"mcp-n8n","version":"0.4.0"}}',
  )
})

test.each([
  ['{"answer":42,"big":12345678901234567890}'],
  ['[1,2]'],
  ['"text"'],
  ['null'],
  ['{"structuredContent":{"a":1}}'],
])('the tool result %s is wrapped with its text unchanged', (text) => {
  const wrapped = n8nProfile.results['tools/call']?.(payloadFromText(text), at)
  expect(wrapped?.value()).toEqual({ content: [{ type: 'text', text }] })
})

test('a result with content is unchanged', () => {
  const result = payloadFromText('{"content":[],"isError":true}')
  expect(n8nProfile.results['tools/call']?.(result, at)).toBe(result)
})

test.each([-32700, -32600, -32601, -32602, -32603, -32000])('the error code %i of a backend is unchanged', (code) => {
  const error = { code, message: 'its own', data: payloadOf({ a: 1 }) }
  expect(n8nProfile.passedError(error)).toBe(error)
})

test.each([-32001, -32002, -32042, -31999, 0, 1, 404])(
  'the error code %i of a backend becomes a server error with the same message',
  (code) => {
    const data = payloadOf({ a: 1 })
    expect(n8nProfile.passedError({ code, message: 'its own', data })).toEqual({
      code: -32000,
      message: 'its own',
      data,
    })
  },
)
