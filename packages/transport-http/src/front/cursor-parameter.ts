import type { IncomingMessage } from 'node:http'

/** The parameter of the query that says from where a stream of lines is to go on. */
const cursorParameter = 'cursor'

/** What the query of a request says by it; empty: the client wants to be told places, and knows none yet. */
export function cursorInQuery({ url = '' }: IncomingMessage): string | undefined {
  const query = url.indexOf('?')
  return query === -1 ? undefined : (new URLSearchParams(url.slice(query)).get(cursorParameter) ?? undefined)
}
