import { payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { readQuestions } from './read-questions.ts'

const question = { method: 'elicitation/create', params: { message: 'Who?' } }

/** The keys and texts of the params that were read. */
function read(text: string): unknown {
  const questions = readQuestions(payloadFromText(text))
  if (questions.kind === 'bad') return questions.message
  return questions.requests.map(([key, { method, params }]) => [key, method, params && printPayload(params)])
}

test('questions keep the text of their params, whatever their keys', () => {
  const keys = ['a', '__proto__', 'constructor', '']
  const asked = keys.map((key) => `${JSON.stringify(key)}:{"method":"sampling/createMessage","params":{"n":1.0}}`)
  expect(read(`{"inputRequests":{${asked.join()}}}`)).toEqual(
    keys.map((key) => [key, 'sampling/createMessage', '{"n":1.0}']),
  )
  expect(read('{"inputRequests":{"r":{"method":"roots/list"}}}')).toEqual([['r', 'roots/list', undefined]])
})

test.each(['{}', '{"inputRequests":null}', '{"inputRequests":[]}', '{"inputRequests":"a"}', '{"inputRequests":{}}'])(
  '%s has no questions',
  (text) => expect(read(text)).toEqual([]),
)

test.each(['null', '[]', '{}', '{"method":5}', '"elicitation/create"'])('a question that is %s is named', (text) => {
  expect(read(`{"inputRequests":{"a":${text}}}`)).toBe(
    `Expected inputRequests["a"] to be a request with "method", got ${text}`,
  )
})

test.each(['"x"', '1', 'true', '[]', '[1]'])('params of a question that are %s are named', (params) => {
  expect(read(`{"inputRequests":{"a":{"method":"roots/list","params":${params}}}}`)).toBe(
    `Expected inputRequests["a"] to be a request whose "params" are an object, got {"method":"roots/list","params":${params}}`,
  )
})

test('params of null are none', () => {
  expect(read('{"inputRequests":{"r":{"method":"roots/list","params":null}}}')).toEqual([
    ['r', 'roots/list', undefined],
  ])
})

test('more questions than a client could be shown are a fault', () => {
  const asked = Array.from({ length: 257 }, (_, index) => [`question ${index}`, question] as const)
  const ofCount = (count: number): string =>
    printPayload(payloadOf({ inputRequests: Object.fromEntries(asked.slice(0, count)) }))
  expect(read(ofCount(256))).toHaveLength(256)
  expect(read(ofCount(257))).toBe('Expected at most 256 questions in inputRequests, got 257')
})
