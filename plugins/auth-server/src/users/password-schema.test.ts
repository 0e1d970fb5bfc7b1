import crypto from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { password } from './password-schema.ts'

const salt = 'A'.repeat(22)
const key = 'A'.repeat(43)
const argon2id = `$argon2id$v=19$m=65536,t=3,p=4$${salt}$${key}`

/** What is expected in place of a text. `undefined`: it is good. */
function refusal(text: string): string | undefined {
  return password.safeParse(text).error?.issues[0]?.message
}

/** `count` bytes, in base64 without padding. */
const bytes = (count: number) => Buffer.alloc(count).toString('base64').replaceAll('=', '')

test.each([
  `$scrypt$ln=15,r=8,p=3$${salt}$${key}`,
  `$scrypt$ln=1,r=1,p=1$${bytes(8)}$${bytes(16)}`,
  `$scrypt$ln=18,r=8,p=4$${bytes(64)}$${bytes(64)}`,
  `$scrypt$ln=15,r=1,p=64$${salt}$${key}`,
  argon2id,
  `$argon2i$v=19$m=8,t=1,p=1$${salt}$${key}`,
  `$argon2d$v=19$m=262144,t=4,p=64$${salt}$${key}`,
])('%s is a hash', (text) => {
  expect(refusal(text)).toBeUndefined()
})

test.each([
  '',
  'correct horse battery',
  `$2b$12$${salt}${'A'.repeat(31)}`,
  `$scrypt$ln=15,r=8$${salt}$${key}`,
  `$scrypt$r=8,ln=15,p=3$${salt}$${key}`,
  `$scrypt$ln=15,r=8,p=3$${salt}`,
  `$scrypt$ln=015,r=8,p=3$${salt}$${key}`,
  `$scrypt$ln=0,r=8,p=3$${salt}$${key}`,
  `$scrypt$ln=15,r=8,p=3$${salt}$${key}=`,
  `$scrypt$ln=15,r=8,p=3$${salt}$${key}\n`,
  `$scrypt$ln=15,r=8,p=3$${salt}$${'-'.repeat(43)}`,
  // The last letter has bits that belong to no byte, or there is half a byte.
  `$scrypt$ln=15,r=8,p=3$${salt}$${'A'.repeat(42)}B`,
  `$scrypt$ln=15,r=8,p=3$${salt}A$${'A'.repeat(45)}`,
  `$argon2id$v=16$m=65536,t=3,p=4$${salt}$${key}`,
  `$argon2id$m=65536,t=3,p=4$${salt}$${key}`,
  `$argon2id$v=19$m=65536,t=3,p=4,keyid=AA$${salt}$${key}`,
  `$argon2$v=19$m=65536,t=3,p=4$${salt}$${key}`,
])('%j is no hash', (text) => {
  expect(refusal(text)).toMatch(/^a hash, as `junctor hash-password` prints it, or .*PHC string format/)
})

test.each([
  [`$scrypt$ln=15,r=8,p=3$$${key}`, 'a hash with a salt of 8 to 64 bytes, not 0'],
  [`$scrypt$ln=15,r=8,p=3$${bytes(65)}$${key}`, 'a hash with a salt of 8 to 64 bytes, not 65'],
  [`$scrypt$ln=15,r=8,p=3$${salt}$`, 'a hash with a key of 16 to 64 bytes, not 0'],
  [`$argon2id$v=19$m=65536,t=3,p=4$${bytes(7)}$${key}`, 'a hash with a salt of 8 to 64 bytes, not 7'],
  [`$argon2id$v=19$m=65536,t=3,p=4$${salt}$${bytes(15)}`, 'a hash with a key of 16 to 64 bytes, not 15'],
  [`$argon2id$v=19$m=65536,t=3,p=4$${salt}$${bytes(65)}`, 'a hash with a key of 16 to 64 bytes, not 65'],
  [`$scrypt$ln=4,r=65,p=1$${salt}$${key}`, 'a hash with r of at most 64, not 65'],
  [`$scrypt$ln=4,r=1,p=65$${salt}$${key}`, 'a hash with p of at most 64, not 65'],
  [`$scrypt$ln=16,r=1,p=1$${salt}$${key}`, 'a hash with ln below 16 times r, which is 16, not 16'],
  [`$scrypt$ln=19,r=8,p=1$${salt}$${key}`, 'a hash whose check takes at most 256 MiB, not 512 MiB'],
  [
    `$scrypt$ln=15,r=8,p=33$${salt}$${key}`,
    'a hash whose check goes through at most 1024 MiB, not 1056 MiB (33 times 32 MiB)',
  ],
  [`$argon2id$v=19$m=31,t=3,p=4$${salt}$${key}`, 'a hash with m of at least 8 times p, which is 32, not 31'],
  [`$argon2id$v=19$m=65536,t=3,p=65$${salt}$${key}`, 'a hash with p of at most 64, not 65'],
  [`$argon2id$v=19$m=262145,t=1,p=1$${salt}$${key}`, 'a hash whose check takes at most 256 MiB, not 257 MiB'],
  [
    `$argon2id$v=19$m=65536,t=17,p=1$${salt}$${key}`,
    'a hash whose check goes through at most 1024 MiB, not 1088 MiB (17 times 64 MiB)',
  ],
])('%s is refused: %s', (text, expected) => {
  expect(refusal(text)).toBe(expected)
})

test('a Node without Argon2 is named when the configuration is read', () => {
  const spy = vi.spyOn(crypto, 'argon2Sync').mockImplementation(() => {
    throw new TypeError('crypto.argon2Sync is not a function')
  })
  onTestFinished(() => spy.mockRestore())
  const { node, openssl } = process.versions
  expect(refusal(argon2id)).toBe(
    `a hash of scrypt, because Argon2 needs Node 24.7 and OpenSSL 3.2 or later (this is Node ${node} with OpenSSL ${openssl})`,
  )
  expect(refusal(`$scrypt$ln=15,r=8,p=3$${salt}$${key}`)).toBeUndefined()
})
