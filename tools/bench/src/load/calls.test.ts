import { describe, expect, test } from 'vitest'
import { echoCalls, listCalls } from './calls.ts'

const encode = (message: string): Uint8Array => Buffer.from(message)

function answer(id: number, result: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

describe('an echo', () => {
  const calls = echoCalls('echo', 2, encode)
  const sent = JSON.parse(Buffer.from(calls.request(1)).toString())
  const text = sent.params.arguments.message as string

  test('has a hundred characters', () => {
    expect(text).toHaveLength(100)
  })

  test.each([
    ['the same text', answer(1, { content: [{ type: 'text', text }] }), undefined],
    ['another id', answer(0, { content: [{ type: 'text', text }] }), 'expected an answer to 1'],
    ['another text', answer(1, { content: [{ type: 'text', text: `${text}.` }] }), 'expected an echo'],
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}', 'expected an echo'],
  ])('answered with %s', (_what, body, problem) => {
    expect(calls.problem(1, body)?.slice(0, problem?.length)).toBe(problem)
  })
})

describe('a list', () => {
  const list = { tools: [{ name: 'a' }, { name: 'b' }] }

  test('is the same each time, and as long as it should be', () => {
    const calls = listCalls(2, 2, encode)
    expect(calls.problem(0, answer(0, list))).toBeUndefined()
    expect(calls.problem(1, answer(1, list))).toBeUndefined()
    expect(calls.problem(1, answer(1, { tools: [] }))).toMatch('expected the same 2 tools')
    expect(calls.problem(1, answer(0, list))).toMatch('expected an answer to 1')
  })

  test('that is too short at first is wrong', () => {
    expect(listCalls(3, 1, encode).problem(0, answer(0, list))).toMatch('expected the same 3 tools')
  })
})
