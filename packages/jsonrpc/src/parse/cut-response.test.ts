import { requestId } from '../message/request-id.ts'
import { expect, it } from 'vitest'
import { answeredBy, idAtEnd, judgeBeginning } from './cut-response.ts'

it.each([
  ['{"jsonrpc":"2.0","id":7,"result":{"content":[', 7],
  ['{"id":"a b","jsonrpc":"2.0","error":{"co', 'a b'],
  [' { "id" : -1 , "result" : 1', -1],
])('%s begins with its id', (beginning, id) => {
  expect(judgeBeginning(beginning)).toEqual({ kind: 'answers', id: requestId(id) })
})

it.each(['{"result":{"id":5', '{"jsonrpc":"2.0","error":{"code":'])('%s has its id at the end', (beginning) => {
  expect(judgeBeginning(beginning)).toEqual({ kind: 'id_last' })
})

it.each([
  '{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"',
  '{"jsonrpc":"2.0","method":"notifications/message","params":{"id":7,"result":1',
  'xxxx {"id":7,"result":',
  '["id",7,"result"]',
  '{"id":null,"result":{}',
  '',
])('%s is not a response', (beginning) => {
  expect(judgeBeginning(beginning)).toEqual({ kind: 'no_response' })
})

it.each([
  ['xxx"}]},"jsonrpc":"2.0","id":7}', 7],
  ['xxx"}]},"id":"seven","jsonrpc":"2.0"} ', 'seven'],
  ['true , "id" : 7 }\r', 7],
])('%s ends with its id', (ending, id) => {
  expect(idAtEnd(ending)).toBe(requestId(id))
})

it.each([
  // Inside the result, or inside a text.
  'xxx"},"id":7}}',
  'xxx,\\"id\\":7}',
  'xxxx',
  '"id":7},"more":1}',
])('%s ends without its own id', (ending) => {
  expect(idAtEnd(ending)).toBeUndefined()
})

it.each([
  ['{"jsonrpc":"2.0","id":7,"result":{"mean":NaN}}', requestId(7)],
  [`{"result":{"text":"${'x'.repeat(1_000)}","mean":NaN},"id":"seven"}`, requestId('seven')],
  ['{"id":7,"method":"ping","params":NaN}', undefined],
  ['{"result":{"mean":NaN}}', undefined],
])('%s is not JSON, and answers a request if its id shows', (text, id) => {
  expect(answeredBy({ answers: undefined, situation: 'parse_error' }, text)).toBe(id)
})
