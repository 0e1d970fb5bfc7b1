import { type JsonValue, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { serverMeta, statelessResult } from './stateless-result.ts'

const server = serverMeta('junctor', '1')
const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'junctor', version: '1' } }

function shown(method: string, result: JsonValue): unknown {
  return statelessResult(method, payloadOf(result), server).value()
}

test('a result gets its type and the server', () => {
  expect(shown('tools/call', { content: [] })).toEqual({ content: [], resultType: 'complete', _meta })
})

test.each([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])('nobody may keep a result of %s that does not say so', (method) => {
  expect(shown(method, {})).toEqual({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta })
})

test('what a result says itself stays, except for the server', () => {
  const result = { resultType: 'complete', ttlMs: 5, cacheScope: 'public', _meta: { x: 1, ..._meta } }
  expect(
    shown('tools/list', { ...result, _meta: { x: 1, 'io.modelcontextprotocol/serverInfo': { name: 'y' } } }),
  ).toEqual(result)
})

test('a result that is not complete has no hints', () => {
  const result = { resultType: 'input_required', requestState: 'x' }
  expect(shown('resources/read', result)).toEqual({ ...result, _meta })
})

test.each([-1, 1.5, '5', null, Number.NaN])('a time to live of %j is none', (ttlMs) => {
  expect(shown('tools/list', { ttlMs })).toMatchObject({ ttlMs: 0 })
})

test('the text of all else is kept', () => {
  const result = payloadFromText('{"structuredContent":{"n":9007199254740993},"_meta":{"id":12345678901234567890}}')
  const text = printPayload(statelessResult('tools/call', result, server))
  expect(text).toContain('9007199254740993')
  expect(text).toContain('12345678901234567890')
})

test('a result that is no object stays as it is', () => {
  const result = payloadOf([1])
  expect(statelessResult('tools/list', result, server)).toBe(result)
})
