import type { ServerResponse } from 'node:http'

/** Redirects a browser. The URL may contain a code, so it is not stored, and not sent as `Referer`. */
export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  response.end()
}
