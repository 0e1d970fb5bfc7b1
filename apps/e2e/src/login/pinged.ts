import { rawRequest } from '../raw-request.ts'
import type { Site } from './with-login.ts'

/** The status of a ping with a token. */
export async function pinged(at: string, token: unknown, site: Site): Promise<number> {
  const answer = await rawRequest(at, {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      host: new URL(site.url).host,
      authorization: `Bearer ${String(token)}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  await answer.text()
  return answer.status
}
