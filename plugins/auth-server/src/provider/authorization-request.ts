import type { IncomingMessage, ServerResponse } from 'node:http'
import { readBody, redirect, sendPage } from '@junctor/plugin-sdk/pages'
import { errorPage } from '../pages/error-page.ts'
import { queryOf } from './query-of.ts'

/** The longest form, in bytes. It becomes a URL, and servers refuse longer headers. */
const mostFormBytes = 8 * 1024

/**
 * Adds the default scopes to a request without a scope, or with an empty one (RFC 6749 sections 3.1 and 3.3): all that the
 * person may agree to. Without any scope, the library would treat the person's consent as a refusal.
 *
 * @param url of a request to the authorization endpoint
 */
export function withDefaultScope(url: string, scopes: readonly string[]): string {
  const query = queryOf(url)
  const parameters = new URLSearchParams(query)
  const isNamed = parameters.getAll('scope').some((scope) => scope !== '')
  if (isNamed || parameters.size === 0 || scopes.length === 0) return url
  parameters.set('scope', scopes.join(' '))
  return `${url.slice(0, -query.length)}${parameters.toString()}`
}

/**
 * Redirects a request that a browser has posted to the same request in a URL (OpenID Connect Core section 3.1.2.1 requires
 * both). Browsers send our cookies with the URL, but not with forms of other sites.
 *
 * @param path of the authorization endpoint, as browsers see it
 */
export async function redirectForm(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    return sendPage(response, 415, errorPage('', 'Expected a form (application/x-www-form-urlencoded).'))
  }
  const form = await readBody(request, mostFormBytes)
  if (form === undefined) return sendPage(response, 413, errorPage('', 'Expected a form of at most 8 KiB.'))
  return redirect(response, `${path}?${new URLSearchParams(form).toString()}`)
}
