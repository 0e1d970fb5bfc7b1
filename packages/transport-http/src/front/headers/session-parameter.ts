import type { IncomingMessage } from 'node:http'

/** The query parameter that names a session. */
export const sessionParameter = 'session_id'

/** Its values in the query of a request, in order. */
export function sessionsInQuery({ url = '' }: IncomingMessage): string[] {
  const query = url.indexOf('?')
  return query === -1 ? [] : new URLSearchParams(url.slice(query)).getAll(sessionParameter)
}
