import { expect, test, vi } from 'vitest'
import { hashApiKey } from '../api-keys/api-key.ts'
import { createTokenHashes } from './token-hashes.ts'

test('returns the hash under which a key is stored', () => {
  expect(createTokenHashes()('Bearer a-key')).toEqual({ token: 'a-key', isProven: false, hash: hashApiKey('a-key') })
})

test('hashes a token once while few others come in between', () => {
  const hash = vi.fn<(token: string) => string>((token) => `hash of ${token}`)
  const hashOf = createTokenHashes(hash)
  for (let n = 0; n < 100; n += 1) {
    expect(hashOf('Bearer mine')).toEqual({ token: 'mine', isProven: false, hash: 'hash of mine' })
    for (let other = 0; other < 400; other += 1) hashOf(`Bearer other-${other}`)
  }
  expect(hash).toHaveBeenCalledTimes(401)
})

test('forgets a token after many others', () => {
  const hash = vi.fn<(token: string) => string>((token) => token)
  const hashOf = createTokenHashes(hash)
  hashOf('Bearer mine')
  for (let other = 0; other < 1_024; other += 1) hashOf(`Bearer other-${other}`)
  hash.mockClear()
  hashOf('Bearer mine')
  expect(hash).toHaveBeenCalledTimes(1)
})

test('finds no token in other headers, and keeps none of them', () => {
  const hash = vi.fn<(token: string) => string>((token) => token)
  const hashOf = createTokenHashes(hash)
  hashOf('Bearer mine')
  for (let other = 0; other < 1_024; other += 1) expect(hashOf(`Basic other-${other}`)).toBeUndefined()
  hash.mockClear()
  expect(hashOf('Bearer mine')?.token).toBe('mine')
  expect(hash).not.toHaveBeenCalled()
})
