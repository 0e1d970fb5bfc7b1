/** The address for the messages of an HTTP+SSE session, or the reason why it is refused. */
export type SseEndpoint =
  | { readonly kind: 'endpoint'; /** Path and query. */ readonly path: string }
  | { readonly kind: 'refused'; readonly what: string }

/**
 * Checks the URL in a server's `endpoint` event (2024-11-05, "HTTP with SSE"). It may be relative. Another origin is
 * refused, because it would receive the credentials that belong to this one.
 */
export function judgeSseEndpoint(named: string, stream: URL): SseEndpoint {
  const url = URL.parse(named.trim(), stream.href)
  if (url === null) return { kind: 'refused', what: 'Expected the endpoint event to hold a URL, got something else' }
  if (url.origin !== stream.origin || url.username !== '' || url.password !== '') {
    return { kind: 'refused', what: `Expected an endpoint on ${stream.origin}, got one on ${url.origin}` }
  }
  return { kind: 'endpoint', path: url.pathname + url.search }
}
