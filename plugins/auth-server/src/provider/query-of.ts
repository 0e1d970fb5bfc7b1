/** The query of a request's URL: all behind the first question mark. There may be others in it (RFC 3986 section 3.4). */
export function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}
