import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns the fault in the credentials of a request; `undefined`: none. */
export type BearerCheck = (authorization: string | undefined) => string | undefined

/**
 * Creates a check of `Authorization: Bearer <token>`. Its duration reveals nothing about the token.
 *
 * @param token the expected token; undefined: all requests are refused, with the name of the setting
 */
export function createBearerCheck(token: string | undefined): BearerCheck {
  if (token === undefined) return () => 'this path is closed as long as listen.admin.token is not set: set it'
  const expected = digest(token)
  return (authorization) => {
    const [, given] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
    if (given === undefined) return 'expected "Authorization: Bearer <listen.admin.token>"'
    return timingSafeEqual(digest(given), expected) ? undefined : 'the token is not that of listen.admin.token'
  }
}

/** Hashes a text to a fixed length, because only texts of equal length can be compared in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
