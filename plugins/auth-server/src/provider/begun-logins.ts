import type { ServerResponse } from 'node:http'
import { sendPage } from '@junctor/plugin-sdk/pages'
import { errorPage } from '../pages/error-page.ts'
import { createAddressLimit } from './address-limit.ts'

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
  const limit = createAddressLimit(mostLogins)
  return async (response, client) => {
    const verdict = await limit(client)
    if (verdict.kind === 'allowed') return true
    response.setHeader('retry-after', verdict.seconds)
    sendPage(response, 429, errorPage('', 'Too many logins from your address. Wait a minute.'))
    return false
  }
}
