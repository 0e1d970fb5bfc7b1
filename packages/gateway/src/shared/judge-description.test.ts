import { payloadFromText, payloadOf } from '@junctor/jsonrpc'
import { expect, it } from 'vitest'
import { judgeDescription } from './judge-description.ts'

const short = { info: { name: 'c', version: '1' }, capabilities: { roots: {} } }

it.each([
  ['no params', undefined],
  ['params with other long members', payloadFromText(JSON.stringify({ arguments: 'x'.repeat(100_000) }))],
  ['params that are known as a value', payloadOf(short)],
])('a short description is fine, with %s', (_name, params) => {
  expect(judgeDescription({ params }, short)).toEqual({ kind: 'fits', info: short.info })
})

it.each([
  ['clientInfo', { ...short, info: { name: 'x'.repeat(65_536) } }],
  ['capabilities', { ...short, capabilities: { experimental: { [`x`.repeat(65_536)]: {} } } }],
])('%s that is too long is a fault', (_name, description) => {
  const params = payloadFromText(JSON.stringify(description))
  expect(judgeDescription({ params }, description)).toEqual({
    kind: 'too_long',
    message: expect.stringMatching(/at most 65536 characters, got 65\d\d\d$/) as string,
  })
})

it('icons that are too long are left out: they may be whole images', () => {
  const description = {
    ...short,
    info: { ...short.info, icons: [{ src: `data:image/png;base64,${'x'.repeat(100_000)}` }] },
  }
  const params = payloadFromText(JSON.stringify(description))
  expect(judgeDescription({ params }, description)).toEqual({ kind: 'fits', info: short.info })
  const few = { ...short, info: { ...short.info, icons: [{ src: 'https://a.example/i.png' }] } }
  const long = payloadFromText(JSON.stringify({ few, arguments: 'x'.repeat(100_000) }))
  expect(judgeDescription({ params: long }, few)).toEqual({ kind: 'fits', info: few.info })
})
