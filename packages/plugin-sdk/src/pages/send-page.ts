import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** Sends a page, with {@link pageHeaders}. */
export function sendPage(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { ...pageHeaders(html) })
  response.end(html)
}

/** The headers of a page: no scripts, no other sites, in no frame, and without caching. Its own style is named by its hash. */
export function pageHeaders(html: string): Readonly<Record<string, string>> {
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    'content-type': 'text/html; charset=utf-8',
    // No `form-action`: browsers apply it to the redirect to the client too, which may be at any host.
    'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; frame-ancestors 'none'; base-uri 'none'`,
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    // With `no-referrer`, browsers would hide the origin of forms from the page itself, which checks it.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  }
}
