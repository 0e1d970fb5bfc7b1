import { isIP } from 'node:net'

/** The host of a URL without the brackets of IPv6 and without the dot at the end of a full name. */
export function hostOf(url: URL): string {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/**
 * Hosts whose private addresses may be requested, in the form that {@link hostOf} gives: `localhost`, `10.0.0.5`, `::1`.
 *
 * @throws Error for a text that is not a host
 */
export function allowedHosts(hosts: readonly string[]): ReadonlySet<string> {
  return new Set(
    hosts.map((host) => {
      const written = isIP(host) === 6 ? `[${host}]` : host
      const url = URL.canParse(`http://${written}/`) ? new URL(`http://${written}/`) : undefined
      if (url === undefined || url.pathname !== '/' || url.username !== '' || hasPort(host)) {
        throw new Error(`Expected a host, as in "weather.internal" or "10.0.0.5", and got ${JSON.stringify(host)}`)
      }
      return hostOf(url)
    }),
  )
}

/** Also port 80, which a URL does not show. */
function hasPort(host: string): boolean {
  return isIP(host) !== 6 && host.includes(':')
}
