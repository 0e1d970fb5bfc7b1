import { expect, test } from 'vitest'
import { hashApiKey, isApiKeyHash } from './api-key.ts'

test('a key is stored as the SHA-256 of its UTF-8 bytes', () => {
  expect(hashApiKey('abc')).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  expect(isApiKeyHash(hashApiKey('ключ'))).toBe(true)
})

const digits = 'a'.repeat(64)

test.each([
  '',
  'sha256:',
  digits,
  `sha256:${digits}a`,
  `sha256:${digits.toUpperCase()}`,
  `sha1:${digits}`,
  `sha256:${digits}\n`,
])('%o is not the hash of a key', (text) => {
  expect(isApiKeyHash(text)).toBe(false)
})
