import type { ServerResponse } from 'node:http'
import { sendPage } from '@junctor/plugin-sdk/pages'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { errorPage } from '../pages/error-page.ts'

/** Logins that begin from one address in a minute. Anybody may begin one, and each is in the storage until it expires. */
const mostLogins = 300

/**
 * Counts a login that begins, or refuses it. Returns whether it may go on.
 *
 * @param client the text under which it is counted
 */
export type BeginLogin = (response: ServerResponse, client: string) => Promise<boolean>

/** Creates the function that counts logins. */
export function createLoginCounter(): BeginLogin {
  const limiter = new RateLimiterMemory({ points: mostLogins, duration: 60 })
  return async (response, client) => {
    try {
      await limiter.consume(client)
      return true
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      response.setHeader('retry-after', Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)))
      sendPage(response, 429, errorPage('', 'Too many logins from your address. Wait a minute.'))
      return false
    }
  }
}
