/** Headers by their names in lower case. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Joins the values of headers that came several times (RFC 9110 section 5.3), as Node.js does for headers that may be
 * lists. undici gives them as lists, whatever the header, which the types do not tell. `set-cookie` stays a list: its
 * values have commas.
 */
export function joinedHeaders<Received extends Headers>(headers: Received): Received {
  // Nearly no response has any, so nothing is built for the others.
  for (const name in headers) if (isRepeated(name, headers[name])) return joined(headers)
  return headers
}

function isRepeated(name: string, value: Headers[string]): value is readonly string[] {
  return typeof value === 'object' && name !== 'set-cookie'
}

function joined<Received extends Headers>(headers: Received): Received {
  const all = Object.entries(headers)
  const entries = all.map(([name, value]) => [name, isRepeated(name, value) ? value.join(', ') : value])
  return Object.fromEntries(entries) as Received
}
