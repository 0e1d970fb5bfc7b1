import type { IncomingMessage } from 'node:http'

/** The parameter of the query that names a session. */
export const sessionParameter = 'session_id'

/** What the query of a request names by it, in order. */
export function sessionsInQuery({ url = '' }: IncomingMessage): string[] {
  const query = url.indexOf('?')
  return query === -1 ? [] : new URLSearchParams(url.slice(query)).getAll(sessionParameter)
}
