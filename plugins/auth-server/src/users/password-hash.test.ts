import { expect, test } from 'vitest'
import { hashPassword, isPassword, passwordHash } from './password-hash.ts'

test('a password fits its own hash, and no other one', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(passwordHash)
  expect(await hashPassword('correct horse')).not.toBe(hash)
  expect(await isPassword('correct horse', hash)).toBe(true)
  expect(await isPassword('correct hors', hash)).toBe(false)
  expect(await isPassword('', hash)).toBe(false)
  expect(await isPassword('correct horse', undefined)).toBe(false)
  expect(await isPassword('correct horse', 'scrypt:bad')).toBe(false)
})

test('the same letters, composed in another way, are the same password', async () => {
  expect(await isPassword('\u00e9t\u00e9-2026', await hashPassword('e\u0301te\u0301-2026'))).toBe(true)
})
