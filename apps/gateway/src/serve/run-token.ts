import { randomBytes } from 'node:crypto'

/** A random token for the admin port, for one run. */
export function runToken(): string {
  return randomBytes(18).toString('base64url')
}
