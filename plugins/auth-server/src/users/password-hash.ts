import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** The cost of one hash: 2^15 blocks of 1 KiB, three times. It takes a tenth of a second and 32 MiB. */
const work = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 } as const

const keyBytes = 32

/** The form of a hash: `scrypt:`, the salt and the key, in base64url. */
export const passwordHash: RegExp = /^scrypt:([\w-]{22}):([\w-]{43})$/

/** Hashes a password for the configuration (RFC 7914). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt)
  return `scrypt:${salt.toString('base64url')}:${key.toString('base64url')}`
}

/**
 * Whether a password fits a hash. Without a hash it takes the same time, so that nobody can measure which users exist.
 */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, salt = '', key = ''] = passwordHash.exec(hash ?? '') ?? []
  const expected = Buffer.from(key, 'base64url')
  const derived = await derive(password, Buffer.from(salt, 'base64url'))
  return expected.length === derived.length && timingSafeEqual(expected, derived)
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Keyboards encode the same text in different ways.
    scrypt(password.normalize('NFKC'), salt, keyBytes, work, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
