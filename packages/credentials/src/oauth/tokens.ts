import type { TokenEndpointResponse } from 'oauth4webapi'
import { oauthErrorOf } from './token-failure.ts'
import { wrongIssue } from './wrong-issue.ts'

/** The tokens that an authorization server has issued. */
export type Tokens = {
  readonly accessToken: string
  readonly refreshToken: string | null
  /** Epoch milliseconds. `null`: the server has not sent a time. */
  readonly expires: number | null
  /** The scopes that it has, separated by spaces. `null`: those that were asked for. */
  readonly scope: string | null
}

/** A token is renewed so long before its end, in milliseconds: as long as a request may be on its way. */
const earlyMs = 30_000

/** A token is a visible text without spaces: RFC 6750, section 2.1. Anything else would not be one header. */
const tokenForm = /^[\w\-.~+/]+=*$/

/** @throws JunctorError `BACKEND_REFUSED` for tokens that cannot be sent to a server */
export function tokensOf(answer: TokenEndpointResponse, now: number): Tokens {
  const {
    access_token: accessToken,
    token_type: type,
    refresh_token: refreshToken,
    expires_in: seconds,
    scope,
  } = answer
  if (type !== 'bearer') throw wrongIssue(`a token of the type ${JSON.stringify(type.slice(0, 20))}`)
  if (!tokenForm.test(accessToken)) throw wrongIssue('a token with characters that a header cannot have')
  return {
    accessToken,
    refreshToken: refreshToken ?? null,
    expires: seconds === undefined ? null : now + seconds * 1000,
    scope: scope ?? null,
  }
}

/** Whether a token can still be sent. */
export function isFresh({ expires }: Tokens, now: number): boolean {
  return expires === null || now < expires - earlyMs
}

/**
 * Whether a token that is not fresh any more may still be sent, because there is no other one: its end has not come, and the
 * authorization server has not answered that the access is over.
 *
 * @param error why there is no other one
 */
export function isStillGood({ expires }: Tokens, error: unknown, now: number): boolean {
  return expires !== null && now < expires && oauthErrorOf(error) === undefined
}
