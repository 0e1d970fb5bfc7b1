import type { IncomingMessage, ServerResponse } from 'node:http'
import { endGrant, showGrant } from './answer-grant.ts'
import { endConsent, showTicket, useTicket } from './answer-ticket.ts'
import { type ConnectionPagesParts, sendProblem, type Visit } from './visit.ts'

/** Where the pages of a backend's connections are, below the public URL. */
export function connectionsPath(backend: string): string {
  return `/connections/${encodeURIComponent(backend)}`
}

/** Answers a request below {@link connectionsPath}. */
export async function answerConnection(
  parts: ConnectionPagesParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const visit: Visit = { parts, request, response }
  const [path = ''] = (request.url ?? '').split('?', 1)
  const page = path.slice(connectionsPath(parts.backend).length + 1)
  if (request.method === 'POST') return page === '' ? endGrant(visit) : useTicket(visit, page)
  if (request.method !== 'GET') return sendProblem(visit, 405, 'Expected GET or POST.')
  if (page === 'client.json') return sendDocument(visit)
  if (page === 'callback') return endConsent(visit)
  return page === '' ? showGrant(visit) : showTicket(visit, page)
}

function sendDocument({ parts, response }: Visit): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' })
  response.end(JSON.stringify(parts.document))
}
