import { payloadOf, type WireError } from '@junctor/jsonrpc'
import { describe, expect, test } from 'vitest'
import { ftlProfile } from '../profiles/ftl.ts'
import { mcpProfile } from '../profiles/mcp.ts'
import { n8nProfile } from '../profiles/n8n.ts'
import { passedOn } from './passed-on.ts'
import { wireError } from './wire-error.ts'

const mcp = { revision: '2024-11-05', dialect: '2.0', profile: mcpProfile } as const
const n8n = { ...mcp, profile: n8nProfile } as const

function valueOf({ data, ...error }: WireError): object {
  return data === undefined ? error : { ...error, data: data.value() }
}

describe('an error that a link created from a situation of the catalogue', () => {
  test.each([
    ['deadline_exceeded', { backend: 'chora' }, 'n8n', -32000],
    ['backend_exited', { backend: 'chora' }, 'ftl', -32004],
    ['backend_unavailable', { backend: 'chora', data: { retryAfterMs: 7 } }, 'saas', -32603],
    ['invalid_arguments', { name: 'add', message: 'Expected "a" to be a number, got nothing' }, 'ftl', -32003],
    ['unknown_resource', { name: 'file:///x' }, 'saas', -32602],
  ] as const)('%s with %o has the code of %s', (situation, details, errors, code) => {
    const view = { ...mcp, profile: { ...n8nProfile, errors } }
    const passed = passedOn(wireError(situation, mcp, details), view)
    expect(passed.code).toBe(code)
    expect(valueOf(passed)).toEqual(valueOf(wireError(situation, view, details)))
  })

  test('has the message of the column, and no data in a column without data', () => {
    const passed = passedOn(wireError('unknown_tool', mcp, { name: 'echo' }), n8n)
    expect(valueOf(passed)).toEqual({ code: -32601, message: 'Tool not found: echo', status: 200 })
  })

  test('is unchanged where the column is the one it was created for', () => {
    const error = wireError('unknown_tool', mcp, { name: 'echo' })
    expect(passedOn(error, mcp)).toBe(error)
    const modern = { ...n8n, revision: '2026-07-28' } as const
    const unavailable = wireError('backend_unavailable', { ...modern, profile: mcpProfile })
    expect(passedOn(unavailable, modern)).toBe(unavailable)
    const three = { ...n8n, dialect: '3.0' } as const
    const busy = wireError('too_many_requests', { ...three, profile: mcpProfile })
    expect(passedOn(busy, three)).toBe(busy)
  })
})

describe("a backend's own error", () => {
  test.each([
    [{ code: -32001, message: 'its own' }],
    [{ code: 7, message: 'its own', data: payloadOf({ reason: 'of its own' }) }],
    [{ code: 7, message: 'its own', data: payloadOf({ reason: 'unknown_tool' }) }],
    [{ code: 7, message: 'its own', data: payloadOf({ reason: 'constructor' }) }],
    [{ code: 7, message: 'its own', data: payloadOf(['reason']) }],
  ])('%j is converted by the profile', (error) => {
    expect(passedOn(error, n8n)).toEqual(n8nProfile.passedError(error))
    expect(passedOn(error, mcp)).toBe(error)
  })
})

test('an error that already has the code of the column is unchanged', () => {
  const view = { revision: '2024-11-05', dialect: '2.0', profile: ftlProfile } as const
  const error = wireError('deadline_exceeded', view, { backend: 'weather' })
  expect(passedOn(error, view)).toBe(error)
})

describe('for a client of 2026-07-28', () => {
  const modern = { ...mcp, revision: '2026-07-28' } as const
  const required = payloadOf({ requiredCapabilities: { sampling: {} } })

  test.each([
    [{ code: -32_020, message: 'no such row' }],
    [{ code: -32_021, message: 'no such row' }],
    [{ code: -32_022, message: 'no such row', data: payloadOf({ supported: [] }) }],
    [{ code: -32_099, message: 'no such row' }],
  ])('%j has a code that the specification keeps for itself', (error) => {
    expect(passedOn(error, modern)).toEqual({ ...error, code: -32_603 })
    expect(passedOn(error, mcp)).toBe(error)
  })

  test.each([
    [{ code: -32_019, message: 'its own' }],
    [{ code: -32_100, message: 'its own' }],
    [{ code: -32_021, message: 'sampling, please', data: required }],
  ])('%j passes', (error) => {
    expect(passedOn(error, modern)).toBe(error)
  })
})
