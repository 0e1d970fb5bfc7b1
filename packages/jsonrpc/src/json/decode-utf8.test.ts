import { describe, expect, test } from 'vitest'
import { invalidBytes } from '../../test/fixtures/json-vectors.ts'
import { decodeUtf8 } from './decode-utf8.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('decodeUtf8', () => {
  test.each(invalidBytes)('refuses %s and does not replace it', (_name, bytes) => {
    expect(decodeUtf8(bytes)).toBeUndefined()
  })

  test('decodes every other text, and stays usable after a refusal', () => {
    const text = '{"a":"\u0000 é \u{1f600} \uffff \u{10ffff}"}\n'
    expect(decodeUtf8(Uint8Array.of(0xe0))).toBeUndefined()
    expect(decodeUtf8(encode(text))).toBe(text)
  })

  test('removes one byte order mark at the beginning and no other', () => {
    expect(decodeUtf8(encode('\ufeff{}'))).toBe('{}')
    expect(decodeUtf8(encode('\ufeff\ufeff{} \ufeff'))).toBe('\ufeff{} \ufeff')
  })
})
