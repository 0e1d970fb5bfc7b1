import { payloadFromText, printPayload } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { printQuestions } from './print-questions.ts'

test('questions keep the text of their params, and each has some', () => {
  const printed = printQuestions([
    ['a', { method: 'sampling/createMessage', params: payloadFromText('{"n":1.0}') }],
    ['b', { method: 'roots/list', params: undefined }],
  ])
  expect(printPayload(printed)).toBe(
    '{"a":{"method":"sampling/createMessage","params":{"n":1.0}},"b":{"method":"roots/list","params":{}}}',
  )
})

test('no questions are an empty object', () => expect(printPayload(printQuestions([]))).toBe('{}'))
