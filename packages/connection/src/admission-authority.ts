/** A host and port, as the headers `Host` and `Origin` carry them. IPv6 addresses keep their brackets. */
export interface Authority {
  /** In lower case. */
  readonly host: string
  readonly port: string | undefined
}

const authorityForm = /^([a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?$/i

/**
 * Parses `host` or `host:port`; returns undefined for any other text. The check is strict on purpose: with user
 * information, paths, lists, trailing dots, and empty or impossible ports, a less strict parser can be misled about the
 * host.
 */
export function parseAuthority(text: string): Authority | undefined {
  const [, host, port] = authorityForm.exec(text) ?? []
  if (host === undefined || (port !== undefined && Number(port) > 65_535)) return undefined
  return { host: host.toLowerCase(), port }
}

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether a host in a header means this machine for every resolver. `x.localhost` and `127.1` do not. */
export function isLoopbackHost(host: string): boolean {
  return loopbackHosts.has(host)
}

/**
 * Whether the IP address of a socket or listener is a loopback address: 127.0.0.0/8, `::1`, and 127.0.0.0/8 mapped into
 * IPv6.
 */
export function isLoopbackAddress(address: string): boolean {
  return /^(?:::ffff:)?127(?:\.(?:0|[1-9][0-9]{0,2})){3}$/i.test(address) || address === '::1'
}
