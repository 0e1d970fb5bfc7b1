import { expect, test } from 'vitest'
import { Seal } from './seal.ts'

const body = new TextEncoder().encode('{"a":1}')
const seal = new Seal('secret')
const message = seal.close('subject', 'reply', body)

test('what was sealed opens', () => {
  expect(seal.open('subject', 'reply', message)).toEqual(Buffer.from(body))
  expect(seal.open('s', '', seal.close('s', '', new Uint8Array()))).toEqual(Buffer.alloc(0))
})

test('nothing else does', () => {
  expect(new Seal('other').open('subject', 'reply', message)).toBeUndefined()
  expect(seal.open('elsewhere', 'reply', message)).toBeUndefined()
  expect(seal.open('subject', 'elsewhere', message)).toBeUndefined()
  expect(seal.open('subject', 'reply', message.subarray(0, 31))).toBeUndefined()
  expect(seal.open('subject', 'reply', new Uint8Array())).toBeUndefined()
  for (let at = 0; at < message.length; at += 1) {
    const forged = Uint8Array.from(message, (byte, index) => (index === at ? byte ^ 1 : byte))
    expect(seal.open('subject', 'reply', forged)).toBeUndefined()
  }
})
