import { expect, test } from 'vitest'
import { failureOf, readAnswer } from './read-answer.ts'

const content = [{ type: 'text', text: 'sunny' }]

test.each([
  ['content', { content }],
  ['no blocks', { content: [] }],
  ['a failure of the tool', { content, isError: true }],
  ['structured content alone', { structuredContent: { a: 1 } }],
  ['members of its own', { content, more: 1 }],
])('an answer with %s is a result', (_what, result) => {
  expect(readAnswer(200, JSON.stringify(result), 'weather')).toEqual({ kind: 'result', result })
})

test.each([
  [200, '<html>', 'tool_failed', 'weather gave an answer that is not JSON'],
  [200, '', 'tool_failed', 'weather gave an answer that is not JSON'],
  [200, 'null', 'tool_failed', 'weather gave an answer without content'],
  [200, '{}', 'tool_failed', 'weather gave an answer without content'],
  [200, '[]', 'tool_failed', 'weather gave an answer without content'],
  [200, '{"content":"text"}', 'tool_failed', 'weather gave an answer without content'],
  [200, '{"content":[null]}', 'tool_failed', 'weather gave content with a block that is not an object'],
  [500, '{"content":[]}', 'tool_failed', 'weather gave HTTP status 500'],
  [404, 'secret path', 'tool_failed', 'weather gave HTTP status 404'],
  [302, '', 'tool_failed', 'weather gave HTTP status 302'],
  [502, '', 'backend_exited', 'weather gave HTTP status 502'],
  [503, '', 'backend_unavailable', 'weather gave HTTP status 503'],
  [504, '', 'deadline_exceeded', 'weather gave HTTP status 504'],
])('status %i with %j is %s', (status, body, situation, message) => {
  expect(readAnswer(status, body, 'weather')).toMatchObject({
    kind: 'failed',
    failure: { situation, details: { message } },
  })
})

test('an answer that is too deep for a message is an error', () => {
  const message = 'weather gave an answer of more than 60 levels of objects and arrays'
  const body = `{"content":[],"more":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  expect(readAnswer(200, body, 'weather')).toEqual({
    kind: 'failed',
    failure: { situation: 'tool_failed', details: { message } },
  })
})

test('an error of JSON-RPC is passed on, with any status', () => {
  const error = { code: -32602, title: 'Unknown City', message: 'No such city', data: { city: 'x' } }
  for (const status of [200, 400]) {
    expect(readAnswer(status, JSON.stringify({ jsonrpc: '2.0', id: 1, error }), 'weather')).toEqual({
      kind: 'failed',
      failure: { error },
    })
  }
})

test.each([
  [-32001, 'tool_failed'],
  [-32002, 'tool_failed'],
  [-32003, 'invalid_arguments'],
  [-32004, 'backend_unavailable'],
])('the code %i of tool components has its situation', (code, situation) => {
  expect(failureOf({ code, message: 'x' })).toEqual({ situation, details: { message: 'x' } })
})

test.each([{}, { code: 'a', message: 'x' }, { code: 1.5, message: 'x' }, { code: 1 }])('%j is no error', (error) => {
  expect(failureOf(error)).toBeUndefined()
})

test('numbers of an answer keep their digits', () => {
  const body = '{"content":[],"structuredContent":{"id":9007199254740993}}'
  const answer = readAnswer(200, body, 'weather')
  expect(JSON.stringify(answer)).toBe(`{"kind":"result","result":${body}}`)
  const error = '{"code":-32602,"message":"x","data":{"id":9007199254740993}}'
  expect(JSON.stringify(readAnswer(200, `{"error":${error}}`, 'weather'))).toContain(`"failure":{"error":${error}}`)
})
