import type { IncomingMessage, ServerResponse } from 'node:http'
import { situationOf } from '@junctor/protocol'
import { page } from './html.ts'
import { sendPage } from './send-page.ts'

/** Whether an error says only that the storage that all nodes share does not answer, or keeps nothing now. */
export function isUnstored(error: unknown): boolean {
  return situationOf(error) === 'fabric_unavailable'
}

/** The page for a person whose step needs the storage that all nodes share, which does not answer now. */
export function unstoredPage(): string {
  const text = 'The gateway cannot reach its storage now. Reload this page in a moment.'
  return page('Not now', `<p class="problem">${text}</p>`)
}

/**
 * Sends {@link unstoredPage} to a person. A program gets nothing here.
 *
 * @returns whether it was sent
 */
export function sendUnstored({ headers }: Pick<IncomingMessage, 'headers'>, response: ServerResponse): boolean {
  if (response.headersSent || headers.accept?.includes('text/html') !== true) return false
  response.setHeader('retry-after', 5)
  sendPage(response, 503, unstoredPage())
  return true
}
