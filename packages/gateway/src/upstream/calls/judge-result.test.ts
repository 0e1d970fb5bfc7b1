import { type JsonValue, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import type { Revision } from '@junctor/protocol'
import { describe, expect, test } from 'vitest'
import { judgeResult } from './judge-result.ts'

const asks = { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } }, requestState: 's' }

/** The result that a caller gets, or why it gets none. */
function judged(method: string, result: JsonValue, from: Revision, revision: Revision, job?: string): unknown {
  const read = judgeResult(method, payloadOf(result), from, { revision, ...(job !== undefined && { job }) })
  return read.kind === 'bad' ? read.message : JSON.parse(printPayload(read.result))
}

describe.each<Revision>(['2025-11-25', '2026-07-28'])('for a caller of %s', (revision) => {
  test.each(['tools/call', 'prompts/get', 'resources/read', 'completion/complete', 'resources/subscribe'])(
    'a result of %s is an object',
    (method) => {
      const expected = `Expected the result of ${method} to be an object, got `
      expect(judged(method, null, '2025-11-25', revision)).toBe(`${expected}null`)
      expect(judged(method, [], '2026-07-28', revision)).toBe(`${expected}an array`)
      expect(judged(method, 'own words', '2025-06-18', revision)).toBe(`${expected}a string`)
      expect(judged(method, {}, '2025-11-25', revision)).toEqual({})
    },
  )
})

test.each<[JsonValue]>([[null], [[]], ['text'], [5]])('%j is a result outside MCP, before 2026-07-28', (result) => {
  expect(judged('weather.now', result, '2025-11-25', '2025-11-25')).toEqual(result)
  expect(judged('weather.now', result, '2025-11-25', '2026-07-28')).toContain('to be an object')
})

describe('types of results', () => {
  test.each<Revision>(['2024-11-05', '2025-11-25'])('a backend of %s has none', (from) => {
    for (const method of ['tools/call', 'prompts/get', 'resources/read', 'weather.now']) {
      expect(judged(method, asks, from, '2026-07-28')).toEqual({})
      expect(judged(method, { resultType: 'task', taskId: 't' }, from, '2026-07-28')).toEqual({ taskId: 't' })
    }
  })

  test('what is kept has none either, because a caller of either era may collect it', () => {
    expect(judged('tools/call', asks, '2025-11-25', '2025-11-25', 'j_1')).toEqual({})
  })

  test('an older caller gets the members unchanged', () => {
    expect(judged('tools/call', asks, '2025-11-25', '2025-11-25')).toEqual(asks)
  })

  test('a link to a server of 2026-07-28 may give a task, and no questions that are not mapped', () => {
    const task = { resultType: 'task', taskId: 't' }
    expect(judged('tools/call', task, '2026-07-28', '2026-07-28')).toEqual(task)
    expect(judged('tools/call', asks, '2026-07-28', '2026-07-28')).toContain('got a result that asks')
  })
})

test.each<[JsonValue, string]>([
  [{ resultType: 'task', status: 'working' }, 'none'],
  [{ resultType: 'task', taskId: 5 }, 'a number'],
  [{ resultType: 'task', taskId: null }, 'null'],
])('%j is no task, because no client can ask for it', (result, got) => {
  expect(judged('tools/call', result, '2026-07-28', '2026-07-28')).toContain(`that is a string, got ${got}`)
})

test('something that is no payload is not judged: it is a fault of the plugin', () => {
  expect(() => judgeResult('tools/call', undefined as never, '2025-11-25', { revision: '2025-11-25' })).toThrow(
    TypeError,
  )
  expect(() => judgeResult('tools/call', {} as never, '2025-11-25', { revision: '2025-11-25' })).toThrow(TypeError)
})

test('a text that is an object is not parsed for an older caller', () => {
  const result = payloadFromText('{"not":"JSON')
  expect(judgeResult('tools/call', result, '2025-11-25', { revision: '2025-11-25' })).toEqual({
    kind: 'result',
    result,
  })
})
