/** A challenge of the scheme Bearer (RFC 6750 section 3). Values must not have quotes and backslashes. */
export function bearerChallenge(parameters: Readonly<Record<string, string>>): string {
  const list = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`)
  return list.length === 0 ? 'Bearer' : `Bearer ${list.join(', ')}`
}
