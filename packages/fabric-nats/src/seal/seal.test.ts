import { expect, test } from 'vitest'
import { createClusterKey } from './cluster-key.ts'
import { Seal } from './seal.ts'

const body = new TextEncoder().encode('{"a":1}')
const [one, two, three] = ['one', 'two', 'three'].map(createClusterKey) as [
  ReturnType<typeof createClusterKey>,
  ReturnType<typeof createClusterKey>,
  ReturnType<typeof createClusterKey>,
]
const sender = (...keys: (typeof one)[]): Seal => new Seal(keys, 'sender-1')
const receiver = (...keys: (typeof one)[]): Seal => new Seal(keys, 'receiver')
const message = sender(one).close('subject', 'reply', body)

test('a sealed message can be opened, once', () => {
  const seal = receiver(one)
  expect(seal.open('subject', 'reply', message)).toEqual(Buffer.from(body))
  expect(seal.open('subject', 'reply', message)).toBe('repeated')
  expect(seal.open('s', '', sender(one).close('s', '', new Uint8Array()))).toBe('repeated')
  const other = new Seal([one], 'sender-2')
  expect(seal.open('s', '', other.close('s', '', new Uint8Array()))).toEqual(Buffer.alloc(0))
  expect(seal.open('s', '', other.close('s', '', new Uint8Array()))).toEqual(Buffer.alloc(0))
})

test('no other message can be opened', () => {
  expect(receiver(two).open('subject', 'reply', message)).toBe('foreign')
  const seal = receiver(one)
  expect(seal.open('elsewhere', 'reply', message)).toBe('foreign')
  expect(seal.open('subject', 'elsewhere', message)).toBe('foreign')
  expect(seal.open('subject', 'reply', message.subarray(0, 31))).toBe('foreign')
  expect(seal.open('subject', 'reply', new Uint8Array())).toBe('foreign')
  for (let at = 0; at < message.length; at += 1) {
    const forged = Uint8Array.from(message, (byte, index) => (index === at ? byte ^ 1 : byte))
    expect(seal.open('subject', 'reply', forged)).toBe('foreign')
  }
  // The forged message has not used up the number of the true one.
  expect(seal.open('subject', 'reply', message)).toEqual(Buffer.from(body))
})

test('the first key seals, and all keys open', () => {
  const rotated = sender(two, one).close('subject', '', body)
  expect(receiver(one, two).open('subject', '', rotated)).toEqual(Buffer.from(body))
  expect(receiver(one).open('subject', '', rotated)).toBe('foreign')
  expect(receiver(three, one).open('subject', 'reply', message)).toEqual(Buffer.from(body))
})
