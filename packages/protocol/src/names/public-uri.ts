/**
 * The URI, or URI template, under which a backend's resource is offered: `<prefix>+<original>`, which is a URI of a
 * scheme of its own and leaves the expressions of a template alone. An empty prefix keeps the original.
 */
export function uriFor(prefix: string, original: string): string {
  return prefix === '' ? original : `${prefix}+${original}`
}

/** The backend's own URI behind a public one; undefined when the URI does not carry this prefix. */
export function originalUri(prefix: string, uri: string): string | undefined {
  if (prefix === '') return uri
  return uri.startsWith(`${prefix}+`) ? uri.slice(prefix.length + 1) : undefined
}

/**
 * What stands before the first `+` of a URI's scheme: perhaps a prefix, perhaps half of a scheme such as `git+ssh`.
 * Only the table of prefixes can tell.
 */
export function possiblePrefix(uri: string): string | undefined {
  return /^([a-z0-9][a-z0-9-]*)\+[^:]*:/.exec(uri)?.[1]
}
