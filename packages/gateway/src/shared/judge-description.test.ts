import { payloadFromText, payloadOf } from '@junctor/jsonrpc'
import { expect, it } from 'vitest'
import { judgeDescription } from './judge-description.ts'

const short = { info: { name: 'c', version: '1' }, capabilities: { roots: {} } }

it.each([
  ['no params', undefined],
  ['params with other long members', payloadFromText(JSON.stringify({ arguments: 'x'.repeat(100_000) }))],
  ['params that are known as a value', payloadOf(short)],
])('a short description is fine, with %s', (_name, params) => {
  expect(judgeDescription({ params }, short)).toBeUndefined()
})

it.each([
  ['clientInfo', { ...short, info: { name: 'x'.repeat(65_536) } }],
  ['capabilities', { ...short, capabilities: { experimental: { [`x`.repeat(65_536)]: {} } } }],
])('%s that is too long is a fault', (_name, description) => {
  const params = payloadFromText(JSON.stringify(description))
  expect(judgeDescription({ params }, description)).toMatch(/at most 65536 characters, got 65\d\d\d$/)
})
