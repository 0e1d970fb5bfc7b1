import { expect, test } from 'vitest'
import { hashPassword, isPassword, nobodysHash } from './hash-password.ts'
import { type PasswordHash, readPasswordHash } from './password-hash.ts'

/** Throws unless the text is a hash. */
function read(text: string): PasswordHash {
  const found = readPasswordHash(text)
  if (found.kind === 'refused') throw new Error(found.expected)
  return found.hash
}

test('a password fits its own hash, and no other one', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await hashPassword('correct horse')).not.toBe(hash)
  expect(await isPassword('correct horse', read(hash))).toBe(true)
  expect(await isPassword('correct hors', read(hash))).toBe(false)
  expect(await isPassword('', read(hash))).toBe(false)
  expect(await isPassword('', nobodysHash())).toBe(false)
})

test.each([
  ['passlib', '$scrypt$ln=15,r=8,p=3$xycChWUkTjSdGwi3EVVmfg$t4xJ4gEhn/Kn89ruhq/RYuCoPDLoEB2O45UCofdJZfc'],
  ['passlib', '$scrypt$ln=10,r=8,p=1$WBxnXjGwwQgFNifpu6aiNQ$kp0q6h0iTwUNi6JFU0UYHk3Q2f68GrSUIr67uqrZC+s'],
  [
    'hashlib of Python, with a short salt and a long key',
    '$scrypt$ln=4,r=1,p=2$IB5CUkv5TwM$Qin05xR7rnW6A9JOjGXmwlaTTZGTUC36eqgN4jCZxcGUfGSnBTPkHtH/N10lpl4uzmG0KkW0n6+A1YISwd5pFw',
  ],
  ['argon2-cffi', '$argon2id$v=19$m=65536,t=3,p=4$TCVue2PROIIF5aqRZicXPw$Q8Z9k1UVVL3c9D5jwc6+PSwJ/8qe6DiiFImb0YcGWYs'],
  ['argon2-cffi', '$argon2id$v=19$m=256,t=2,p=2$gDVIY5fitim9g78vp0Ce2A$7QseIbZPfZ2V9Dp18XHeCXH5gjVCLmNVMkkZRLtsCAA'],
  ['argon2-cffi', '$argon2i$v=19$m=256,t=2,p=2$5uSsexwdKQaHzu2NhyZzig$XuMAsUa41CP+WCBnw/2rd2OtaBuoJaTLh73dXlgoPMs'],
  ['argon2-cffi', '$argon2d$v=19$m=256,t=2,p=2$CTBEquHWPse4gUsUw8qAgQ$pj3tOqCKvwb6r4TYcDCgS0oEX9YlaWT+Vio751fPY/g'],
])('%s has made the hash %s', async (_program, hash) => {
  expect(await isPassword('correct horse battery', read(hash))).toBe(true)
  expect(await isPassword('correct horse batter', read(hash))).toBe(false)
})

test('the same letters, composed in another way, are the same password', async () => {
  const composed = '\u00e9t\u00e9-2026'
  const decomposed = 'e\u0301te\u0301-2026'
  expect(await isPassword(composed, read(await hashPassword(decomposed)))).toBe(true)
  // argon2-cffi has hashed the composed form.
  const hash = '$argon2id$v=19$m=64,t=1,p=1$psUvGSNhUhJrZR6SOQ65uA$B2ig/SG4wkEsbTxtbgUYp9iB7QN9tAqAbSEe0T70uoU'
  for (const form of [composed, decomposed]) {
    // oxlint-disable-next-line no-await-in-loop -- one check after the other
    expect(await isPassword(form, read(hash))).toBe(true)
  }
})
