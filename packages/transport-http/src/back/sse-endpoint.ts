/** Where the messages of an HTTP+SSE session are to be posted, or why not there. */
export type SseEndpoint =
  | { readonly kind: 'endpoint'; /** Path and query. */ readonly path: string }
  | { readonly kind: 'refused'; readonly what: string }

/**
 * Judges what a server named in its `endpoint` event (2024-11-05, "HTTP with SSE"). It may be relative; another origin
 * is refused, because it would be given the credentials that are meant for this one.
 */
export function judgeSseEndpoint(named: string, stream: URL): SseEndpoint {
  const url = URL.parse(named.trim(), stream.href)
  if (url === null) return { kind: 'refused', what: 'Expected the endpoint event to hold a URL, got something else' }
  if (url.origin !== stream.origin || url.username !== '' || url.password !== '') {
    return { kind: 'refused', what: `Expected an endpoint on ${stream.origin}, got one on ${url.origin}` }
  }
  return { kind: 'endpoint', path: url.pathname + url.search }
}
