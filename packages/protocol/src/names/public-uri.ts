/** The schemes by which clients know views (MCP Apps) and skills. Their URIs keep them, with the prefix as first segment. */
const keptScheme = /^(?:ui|skill):\/\//i

/**
 * Returns the URI or URI template under which a backend's resource is offered: `<prefix>+<original>`, and
 * `ui://<prefix>/<rest>` for `ui://<rest>`. It is a URI and leaves the expressions of a template unchanged. An empty
 * prefix keeps the original. It must be applied only once: a URI that has the prefix gets it again.
 */
export function uriFor(prefix: string, original: string): string {
  if (prefix === '') return original
  const scheme = keptScheme.exec(original)?.[0]
  if (scheme === undefined) return `${prefix}+${original}`
  return `${scheme}${prefix}/${original.slice(scheme.length)}`
}

/** Returns the backend's own URI for a public URI; undefined when the URI does not have this prefix. */
export function originalUri(prefix: string, uri: string): string | undefined {
  if (prefix === '') return uri
  const scheme = keptScheme.exec(uri)?.[0] ?? ''
  const start = scheme === '' ? `${prefix}+` : `${scheme}${prefix}/`
  return uri.startsWith(start) ? scheme + uri.slice(start.length) : undefined
}

/** Whether a public URI stands for this URI of a backend whose prefix is not known any more. */
export function hasOriginal(uri: string, original: string): boolean {
  if (uri === original) return true
  const scheme = keptScheme.exec(uri)?.[0]
  if (scheme === undefined) return uri.endsWith(`+${original}`)
  return scheme + uri.slice(uri.indexOf('/', scheme.length) + 1) === original
}
