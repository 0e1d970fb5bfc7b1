import { payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { completeResult } from './complete-result.ts'

const content = [{ type: 'text', text: 'a' }]

test.each([
  [{ resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } }, requestState: 's' }, {}],
  [
    { content, resultType: 'task', taskId: 't' },
    { content, taskId: 't' },
  ],
  [{ content, resultType: 5 }, { content }],
  [{ content, resultType: null }, { content }],
  [{ content, resultType: 'complete' }, { content }],
  [{ content, requestState: 'alone' }, { content }],
  [{ content, inputRequests: {} }, { content }],
])('%j has no type, no questions and no state left', (result, expected) => {
  expect(JSON.parse(printPayload(completeResult(payloadOf(result))))).toEqual(expected)
  expect(JSON.parse(printPayload(completeResult(payloadFromText(JSON.stringify(result)))))).toEqual(expected)
})

test.each([{ content }, {}, [], null, 'text', { structuredContent: { resultType: 'input_required' } }])(
  '%j is returned as it is',
  (result) => {
    const payload = payloadOf(result)
    expect(completeResult(payload)).toBe(payload)
  },
)

test('the other members keep their text', () => {
  const text = '{"resultType":"input_required","structuredContent":{"n":9007199254740993,"e":1E2}}'
  expect(printPayload(completeResult(payloadFromText(text)))).toBe(
    '{"structuredContent":{"n":9007199254740993,"e":1E2}}',
  )
})
