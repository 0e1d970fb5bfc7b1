/** Why a URL of others is not used. `undefined`: it may be used. */
export type UrlFault = 'not a URL' | 'not https' | 'credentials in the URL'

/** The characters of a URL (RFC 3986), without those that mean something to a shell or in HTML. */
const urlForm = /^https?:\/\/[A-Za-z0-9\-._~:/?#[\]@!&*+,;=%]+$/i

/**
 * Judges a URL that another server has named, before anything is sent there or a person is sent there (MCP security best
 * practices; OAuth 2.1, section 1.5). `http` is for loopback, and for hosts that the operator has named.
 *
 * @param namedHosts hosts that the operator has named
 */
export function judgeUrl(text: unknown, namedHosts: ReadonlySet<string>): UrlFault | undefined {
  if (typeof text !== 'string' || !urlForm.test(text)) return 'not a URL'
  const url = URL.parse(text)
  if (url === null) return 'not a URL'
  if (url.username !== '' || url.password !== '') return 'credentials in the URL'
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !namedHosts.has(url.hostname)) return 'not https'
  return undefined
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
