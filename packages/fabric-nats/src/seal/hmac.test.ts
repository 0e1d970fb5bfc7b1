import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Hmac } from './hmac.ts'

test('it equals the HMAC-SHA-256 of the platform, for keys, texts and bytes of any size', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'binary' }),
      fc.uint8Array({ maxLength: 300 }),
      (key, text, bytes) => {
        const expected = createHmac('sha256', key).update(text).update(bytes).digest()
        expect(new Hmac(Buffer.from(key)).of(text, bytes)).toEqual(expected)
      },
    ),
  )
})

test('one key makes many, none of which changes an earlier one', () => {
  const hmac = new Hmac(Buffer.from('Jefe'))
  const first = hmac.of('what do ya want ', Buffer.from('for nothing?'))
  for (const bytes of [1_000, 65_535, 65_536, 100_000]) {
    const long = new Uint8Array(bytes).fill(7)
    expect(hmac.of('long', long)).toEqual(createHmac('sha256', 'Jefe').update('long').update(long).digest())
  }
  // RFC 4231, test case 2.
  expect(Buffer.from(first).toString('hex')).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
})
