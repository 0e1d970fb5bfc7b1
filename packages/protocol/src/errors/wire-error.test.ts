import { printError, printPayload } from '@junctor/jsonrpc'
import { describe, expect, test } from 'vitest'
import { mcpProfile } from '../profiles/mcp.ts'
import type { ErrorColumn } from './error-row.ts'
import { errorColumn, type ErrorView, wireError } from './wire-error.ts'

const mcp: ErrorView = { revision: '2025-11-25', dialect: '2.0', profile: mcpProfile }
const under = (errors: ErrorColumn, change: Partial<ErrorView> = {}): ErrorView => ({
  ...mcp,
  profile: { errors },
  ...change,
})
const dataOf = (
  view: ErrorView,
  ...[situation, details]: [Parameters<typeof wireError>[0], Parameters<typeof wireError>[2]?]
) => wireError(situation, view, details).data?.value()

describe('which column is used', () => {
  test.each([
    ['the profile of a handshake peer', under('saas'), 'saas'],
    ['the profile before anything is negotiated', under('ftl', { revision: undefined }), 'ftl'],
    ['3.0 over the profile', under('n8n', { dialect: '3.0' }), 'v3'],
    ['2026-07-28 over the profile', under('n8n', { revision: '2026-07-28' }), 'modern'],
    ['2026-07-28 over 3.0', under('n8n', { revision: '2026-07-28', dialect: '3.0' }), 'modern'],
  ] as const)('%s', (_name, view, column) => {
    expect(errorColumn(view)).toBe(column)
  })
})

describe('code and status', () => {
  test.each([
    ['unknown_resource', mcp, -32002, 200],
    ['unknown_resource', under('mcp', { revision: '2026-07-28' }), -32602, 200],
    ['unknown_resource', under('mcp', { dialect: '3.0' }), -32004, 200],
    ['unknown_tool', under('ftl'), -32001, 200],
    ['unknown_tool', under('n8n'), -32601, 200],
    ['session_unknown', mcp, -32001, 404],
    ['session_missing', mcp, -32000, 400],
    ['http_method_not_allowed', under('saas'), -32002, 405],
    ['method_not_found', mcp, -32601, 200],
    ['method_not_found', under('mcp', { revision: '2026-07-28' }), -32601, 404],
    ['too_large', under('mcp', { revision: '2026-07-28' }), 413, 413],
    ['header_mismatch', under('mcp', { revision: '2026-07-28' }), -32020, 400],
  ] as const)('%s in %o is %i with HTTP %i', (situation, view, code, status) => {
    expect(wireError(situation, view)).toMatchObject({ code, status })
  })
})

describe('message', () => {
  test.each([
    ['unknown_tool', mcp, { name: 'a__b' }, 'Unknown tool: a__b'],
    ['unknown_tool', mcp, {}, 'Unknown tool'],
    ['unknown_tool', under('n8n'), { name: 'a:b' }, 'Tool not found: a:b'],
    ['unknown_tool', under('ftl'), { name: 'a' }, 'Tool not found'],
    ['method_not_found', under('n8n'), { name: 'x/y' }, 'Method not found: x/y'],
    ['method_not_found', under('saas'), { name: 'x/y' }, 'Method not found'],
    ['method_not_in_revision', under('saas'), { name: 'x/y' }, 'Method not found'],
    ['invalid_params', mcp, { message: 'cursor: expected a string, got 3' }, 'cursor: expected a string, got 3'],
    ['unknown_tool', mcp, { name: "$& $' {name}" }, "Unknown tool: $& $' {name}"],
  ] as const)('%s', (situation, view, details, message) => {
    expect(wireError(situation, view, details).message).toBe(message)
  })

  test('a very long name is truncated in the message, and complete in data', () => {
    const name = 'x'.repeat(1000)
    expect(wireError('unknown_tool', mcp, { name }).message).toHaveLength('Unknown tool: '.length + 203)
    expect(dataOf(mcp, 'unknown_tool', { name })).toMatchObject({ tool: name })
  })
})

describe('data', () => {
  test('holds the reason, and whether to retry', () => {
    expect(dataOf(mcp, 'backend_unavailable', { backend: 'search' })).toEqual({
      reason: 'backend_unavailable',
      retryable: true,
      backend: 'search',
    })
  })

  test('names the URI of an unknown resource', () => {
    expect(dataOf(mcp, 'unknown_resource', { name: 'file:///x' })).toMatchObject({ uri: 'file:///x' })
  })

  test('is extended and refined by the details', () => {
    expect(dataOf(mcp, 'tool_failed', { data: { reason: 'outcome_unknown', job: 'j_1' } })).toEqual({
      reason: 'outcome_unknown',
      retryable: false,
      job: 'j_1',
    })
  })
})

describe('dialects', () => {
  test('a parse error under 2.0 is exactly code and message, regardless of the details', () => {
    const error = wireError('parse_error', { ...mcp, revision: undefined }, { message: 'Expected JSON' })
    expect(printError(undefined, error, mcpProfile.nullId(undefined))).toBe(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    )
  })

  test('a parse error under 3.0 has data like any other error', () => {
    expect(dataOf(under('mcp', { dialect: '3.0' }), 'parse_error')).toEqual({ reason: 'parse_error', retryable: false })
  })

  test('3.0 has a title on every error, 2.0 on none', () => {
    expect(wireError('parse_error', under('mcp', { dialect: '3.0' }))).toMatchObject({ title: 'Parse Error' })
    expect(wireError('forbidden', under('mcp', { dialect: '3.0', revision: '2026-07-28' }))).toMatchObject({
      code: 403,
      title: 'Forbidden',
    })
    expect(wireError('forbidden', mcp)).not.toHaveProperty('title')
  })

  test('data can be printed', () => {
    const { data } = wireError('overloaded', mcp)
    expect(data && printPayload(data)).toBe('{"reason":"overloaded","retryable":true}')
  })
})
