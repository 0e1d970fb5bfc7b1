/**
 * Whether a resource (RFC 8707) is this server, or a part of its site in which it is. A token of any other resource is not for
 * this server.
 */
export function coversServer(resource: string, serverUrl: string): boolean {
  const [wide, narrow] = [URL.parse(resource), new URL(serverUrl)]
  if (wide === null || wide.origin !== narrow.origin) return false
  const path = wide.pathname.endsWith('/') ? wide.pathname : `${wide.pathname}/`
  return `${narrow.pathname}/`.startsWith(path)
}
