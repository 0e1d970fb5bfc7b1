import crypto from 'node:crypto'
import { type HashCost, type PasswordHash, printScryptHash } from './password-hash.ts'

/** The cost of a hash that we make (RFC 7914): 32 MiB, three times. A check takes a tenth of a second. */
const usualCost = { kind: 'scrypt', ln: 15, r: 8, p: 3 } as const satisfies HashCost

const saltLength = 16
const keyLength = 32

/** Hashes a password for the configuration. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(saltLength)
  return printScryptHash(usualCost, salt, await derive(password, usualCost, salt, keyLength))
}

/** Whether a password fits a hash. */
export async function isPassword(password: string, { cost, salt, key }: PasswordHash): Promise<boolean> {
  const derived = await derive(password, cost, salt, key.length)
  return crypto.timingSafeEqual(key, derived)
}

/** A hash that is nobody's. Its check takes as long as that of a hash that we make. */
export function nobodysHash(): PasswordHash {
  return { cost: usualCost, salt: crypto.randomBytes(saltLength), key: crypto.randomBytes(keyLength) }
}

/** Whether this Node can check hashes of Argon2: from 24.7 on, if the OpenSSL that it is built with can. */
export function hasArgon2(): boolean {
  const parameters = { message: '', nonce: Buffer.alloc(8), parallelism: 1, tagLength: 4, memory: 8, passes: 1 }
  try {
    crypto.argon2Sync('argon2id', parameters)
    return true
  } catch {
    return false
  }
}

function derive(password: string, cost: HashCost, salt: Buffer, length: number): Promise<Buffer> {
  // Keyboards encode the same text in different ways.
  const message = password.normalize('NFKC')
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, key: Buffer): void => {
      if (error === null) resolve(key)
      else reject(error)
    }
    if (cost.kind === 'scrypt') {
      const { ln, r, p } = cost
      // `readPasswordHash` bounds the memory. Node's own bound would refuse hashes that are allowed there.
      crypto.scrypt(message, salt, length, { N: 2 ** ln, r, p, maxmem: Number.MAX_SAFE_INTEGER }, done)
    } else {
      const { variant, m: memory, t: passes, p: parallelism } = cost
      crypto.argon2(variant, { message, nonce: salt, parallelism, tagLength: length, memory, passes }, done)
    }
  })
}
