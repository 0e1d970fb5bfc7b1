/**
 * Returns the URI or URI template under which a backend's resource is offered: `<prefix>+<original>`. It is a URI with
 * its own scheme and leaves the expressions of a template unchanged. An empty prefix keeps the original.
 */
export function uriFor(prefix: string, original: string): string {
  return prefix === '' ? original : `${prefix}+${original}`
}

/** Returns the backend's own URI for a public URI; undefined when the URI does not have this prefix. */
export function originalUri(prefix: string, uri: string): string | undefined {
  if (prefix === '') return uri
  return uri.startsWith(`${prefix}+`) ? uri.slice(prefix.length + 1) : undefined
}

/**
 * Returns the text before the first `+` of a URI's scheme. It may be a prefix, or part of a scheme such as `git+ssh`;
 * only the table of prefixes can decide.
 */
export function possiblePrefix(uri: string): string | undefined {
  return /^([a-z0-9][a-z0-9-]*)\+[^:]*:/.exec(uri)?.[1]
}
