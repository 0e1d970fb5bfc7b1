/**
 * The host of a URL for an address that a server listens at. Wildcard addresses become loopback: no client can connect
 * to them.
 */
export function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
