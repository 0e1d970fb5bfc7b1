import type { IncomingHttpHeaders } from 'node:http'

/**
 * Joins the values of headers that came several times (RFC 9110 section 5.3), as Node.js itself does. undici has them as lists,
 * which the type does not tell.
 */
export function joinedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const all = Object.entries(headers as Readonly<Record<string, string | readonly string[]>>)
  // Nearly no answer has any.
  if (!all.some(([, value]) => typeof value !== 'string')) return headers
  return Object.fromEntries(all.map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]))
}
