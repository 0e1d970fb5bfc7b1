import type { IncomingHttpHeaders } from 'node:http'

/** The headers of a response as undici has them: those that came several times are lists, which its own type does not tell. */
type ReceivedHeaders = Readonly<Record<string, string | readonly string[]>>

/** Joins the values of headers that came several times (RFC 9110 section 5.3), as Node.js itself does. */
export function joinedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const received = headers as ReceivedHeaders
  // Nearly no response has any, so nothing is built for the others.
  for (const name in received) if (typeof received[name] !== 'string') return joined(received)
  return headers
}

function joined(received: ReceivedHeaders): IncomingHttpHeaders {
  const all = Object.entries(received)
  return Object.fromEntries(all.map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]))
}
