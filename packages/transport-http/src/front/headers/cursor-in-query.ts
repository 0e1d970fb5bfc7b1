import type { IncomingMessage } from 'node:http'

/** The query parameter for the place from which a stream of lines continues. */
const cursorParameter = 'cursor'

/** Its value in a request; empty: the client wants to receive places, and has none yet. */
export function cursorInQuery({ url = '' }: IncomingMessage): string | undefined {
  const query = url.indexOf('?')
  return query === -1 ? undefined : (new URLSearchParams(url.slice(query)).get(cursorParameter) ?? undefined)
}
