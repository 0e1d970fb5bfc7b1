import { isIP } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'

/**
 * Returns the check of a server's certificate. Where the address of a server is an IP address, the client library does
 * not tell TLS, which then expects a certificate for `localhost`. So the certificate must be for one of the IP addresses.
 *
 * @param servers their addresses, such as `tls://10.0.0.1:4222`
 */
export function serverIdentity(
  servers: readonly string[],
): (host: string, certificate: PeerCertificate) => Error | undefined {
  const hosts = servers.map(hostOf)
  const addresses = hosts.filter((host) => isIP(host) !== 0)
  return (host, certificate) => {
    if (host !== 'localhost' || addresses.length === 0) return checkServerIdentity(host, certificate)
    const possible = hosts.includes(host) ? [...addresses, host] : addresses
    const problems = possible.map((name) => checkServerIdentity(name, certificate))
    return problems.includes(undefined) ? undefined : problems[0]
  }
}

/** The host of an address, which may have a scheme, a user and a port. */
function hostOf(server: string): string {
  return server
    .replace(/^.*[/@]/, '')
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '')
}
