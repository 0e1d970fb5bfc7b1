import { createRequest } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { readContinuation } from './continuation.ts'

const read = (members: object) => readContinuation(createRequest('tools/call', { name: 'book', ...members }))

it.each([
  ['nothing', {}],
  ['null', { requestState: null, inputResponses: null }],
  ['responses alone', { inputResponses: { a: {} } }],
])('a request with %s continues nothing', (_, members) => {
  expect(read(members)).toEqual({ kind: 'none' })
})

it.each([
  ['no responses', {}, {}],
  ['null as responses', { inputResponses: null }, {}],
  ['responses', { inputResponses: { a: {} } }, { a: {} }],
])('a request with a state and %s is continued', (_, members, responses) => {
  expect(read({ requestState: 's', ...members })).toEqual({ kind: 'continued', state: 's', responses })
})

it.each([
  ['a number as its state', { requestState: 1 }, 'Expects "requestState" to be a string'],
  ['a list of responses', { requestState: 's', inputResponses: [] }, 'Expects "inputResponses" to be an object'],
  [
    'a text as a response',
    { requestState: 's', inputResponses: { a: 'b' } },
    'Expects inputResponses["a"] to be an object',
  ],
])('a request with %s is bad', (_, members, message) => {
  expect(read(members)).toEqual({ kind: 'bad', message })
})
