import { expect, test, vi } from 'vitest'
import { hashApiKey } from './api-key.ts'
import { createTokenHashes } from './token-hashes.ts'

test('returns the hash under which a key is stored', () => {
  expect(createTokenHashes()('a-key')).toBe(hashApiKey('a-key'))
})

test('hashes a token once while few others come in between', () => {
  const hash = vi.fn<(token: string) => string>((token) => `hash of ${token}`)
  const hashOf = createTokenHashes(hash)
  for (let n = 0; n < 100; n += 1) {
    expect(hashOf('mine')).toBe('hash of mine')
    for (let other = 0; other < 400; other += 1) hashOf(`other ${other}`)
  }
  expect(hash).toHaveBeenCalledTimes(401)
})

test('forgets a token after many others', () => {
  const hash = vi.fn<(token: string) => string>((token) => token)
  const hashOf = createTokenHashes(hash)
  hashOf('mine')
  for (let other = 0; other < 1_024; other += 1) hashOf(`other ${other}`)
  hash.mockClear()
  hashOf('mine')
  expect(hash).toHaveBeenCalledTimes(1)
})
