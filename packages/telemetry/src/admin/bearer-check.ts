import { createHash, timingSafeEqual } from 'node:crypto'

/** What is wrong with the credentials of a request; `undefined`: nothing. */
export type BearerCheck = (authorization: string | undefined) => string | undefined

/**
 * Makes a check of `Authorization: Bearer <token>`. How long it takes says nothing of the token.
 *
 * @param token what is expected; undefined: nobody is let in, and told what to configure
 */
export function createBearerCheck(token: string | undefined): BearerCheck {
  if (token === undefined) return () => 'nobody may ask for this as long as listen.admin.token is not set: set it'
  const expected = digest(token)
  return (authorization) => {
    const [, given] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
    if (given === undefined) return 'expected "Authorization: Bearer <listen.admin.token>"'
    return timingSafeEqual(digest(given), expected) ? undefined : 'the token is not that of listen.admin.token'
  }
}

/** Of the same length whatever was given: only such can be compared in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
