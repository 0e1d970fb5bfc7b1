import { createHmac } from 'node:crypto'
import { nobodysHash } from './hash-password.ts'
import type { PasswordHash } from './password-hash.ts'

/**
 * Returns what chooses the hash that is checked for a name that no user has, so that nobody can measure which users exist.
 * It is that of some user, because hashes may differ in cost. A name has the same one at each attempt and on each node, and
 * nobody can foresee which.
 */
export function createStandIns(hashes: readonly PasswordHash[]): (name: string) => PasswordHash {
  const nobodys = nobodysHash()
  const secret = (hashes[0] ?? nobodys).key
  return (name) => {
    const number = createHmac('sha256', secret).update(name).digest().readUInt32BE()
    return hashes[number % hashes.length] ?? nobodys
  }
}
