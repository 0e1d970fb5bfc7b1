import { expect, test } from 'vitest'
import { hashApiKey } from '../api-keys/api-key.ts'
import { createTokenHashes } from './token-hashes.ts'

test('returns the hash under which a key is stored', () => {
  expect(createTokenHashes()('Bearer a-key')).toEqual({ token: 'a-key', isProven: false, hash: hashApiKey('a-key') })
})

test('hashes a token once while few others come in between', () => {
  const hashOf = createTokenHashes()
  const mine = hashOf('Bearer mine')
  for (let n = 0; n < 3; n += 1) {
    for (let other = 0; other < 1_000; other += 1) hashOf(`Bearer other-${other}`)
    expect(hashOf('Bearer mine')).toBe(mine)
  }
})

test('forgets a token after many others', () => {
  const hashOf = createTokenHashes()
  const mine = hashOf('Bearer mine')
  for (let other = 0; other < 1_024; other += 1) hashOf(`Bearer other-${other}`)
  expect(hashOf('Bearer mine')).toEqual(mine)
  expect(hashOf('Bearer mine')).not.toBe(mine)
})

test('finds no token in other headers, and keeps none of them', () => {
  const hashOf = createTokenHashes()
  const mine = hashOf('Bearer mine')
  for (let other = 0; other < 1_024; other += 1) expect(hashOf(`Basic other-${other}`)).toBeUndefined()
  expect(hashOf('Bearer mine')).toBe(mine)
})
