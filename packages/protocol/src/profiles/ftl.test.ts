import { payloadOf, printPayload } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { wireError } from '../errors/wire-error.ts'
import { negotiate, revisionOf } from '../revisions/negotiate.ts'
import { ftlProfile } from './ftl.ts'

const at = { revision: '2024-11-05', now: 0 } as const
const view = { revision: '2024-11-05', dialect: '2.0', profile: ftlProfile } as const

test.each(['0.1.0', '2024-11-05', '2025-11-25', 'constructor', 3, undefined])(
  'a client that asks for %j gets the rules of 2024-11-05',
  (asked) => {
    expect(negotiate(asked, ftlProfile)).toBe('2024-11-05')
    expect(revisionOf(asked, ftlProfile)).toBe(asked === '0.1.0' ? '2024-11-05' : undefined)
  },
)

test('the initialize result has only what the document prints, in the same order', () => {
  const capabilities = { logging: {}, tools: { listChanged: true } }
  const serverInfo = { name: 'ftl-mcp-gateway', version: '0.1.0' }
  const result = payloadOf({ protocolVersion: '0.1.0', capabilities, serverInfo, instructions: 'Use it.' })
  expect(printPayload(ftlProfile.results['initialize']?.(result, at) ?? result)).toBe(
    '{"protocolVersion":"0.1.0","capabilities":{"tools":{}},"serverInfo":{"name":"ftl-mcp-gateway","version":"0.1.0"}}',
  )
})

test('an unknown tool is answered as the document prints it', () => {
  const { code, message, data } = wireError('unknown_tool', view, { name: 'unknown-tool' })
  expect({ code, message, data: data?.value() }).toEqual({
    code: -32001,
    message: 'Tool not found',
    data: { tool: 'unknown-tool' },
  })
})

test.each([
  ['parse_error', -32700, 'Parse error'],
  ['invalid_request', -32600, 'Invalid request'],
  ['method_not_found', -32601, 'Method not found'],
  ['method_not_in_revision', -32601, 'Method not found'],
  ['invalid_params', -32602, 'Invalid params'],
  ['internal_error', -32603, 'Internal error'],
  ['tool_failed', -32002, 'Tool error'],
  ['invalid_arguments', -32003, 'Invalid schema'],
  ['backend_unavailable', -32004, 'Gateway error'],
  ['backend_exited', -32004, 'Gateway error'],
  ['deadline_exceeded', -32004, 'Gateway error'],
  ['overloaded', -32004, 'Gateway error'],
] as const)('%s is %i, as in the tables of the document', (situation, code, message) => {
  expect(wireError(situation, view, { name: 'x' })).toMatchObject({ code, message })
})

test('a more exact message follows the message of the document', () => {
  expect(wireError('tool_failed', view, { name: 'weather', message: 'weather answered 500' }).message).toBe(
    'Tool error: weather answered 500',
  )
})

test.each([-32700, -32600, -32601, -32602, -32603])('the error code %i of a backend is unchanged', (code) => {
  const error = { code, message: 'its own', data: payloadOf({ a: 1 }) }
  expect(ftlProfile.passedError(error)).toBe(error)
})

test.each([
  ['an unknown resource', -32002, -32602],
  ['a code that means something else here', -32001, -32002],
  ['a code of its own', 17, -32002],
])('%s of a backend becomes a code of the document', (_what, code, shown) => {
  expect(ftlProfile.passedError({ code, message: 'its own' })).toEqual({ code: shown, message: 'its own' })
})
