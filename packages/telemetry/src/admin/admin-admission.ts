import { type AdmissionVerdict, createAdmission, isLoopbackAddress } from '@junctor/connection'

/** Judges one request by its `Host` and `Origin`, and by the local address of its connection. */
export type AdminAdmission = (
  host: string | undefined,
  origin: string | undefined,
  localAddress: string | undefined,
) => AdmissionVerdict

/**
 * Creates the rule that refuses web pages. Besides this machine's names, allowed hosts are the listen host, because
 * clients use it, and the local address of the connection, because orchestrators and Prometheus connect by address, and
 * a foreign web page cannot make its own name an address.
 *
 * @param listenHost name or address; a wildcard address is not an allowed host
 * @param allowedHosts additional host names of the port: `name` or `name:port`
 */
export function createAdminAdmission(listenHost: string, allowedHosts: readonly string[] = []): AdminAdmission {
  // Listed names are allowed in addition to those of this machine.
  const hosts = allowedHosts.length === 0 ? [] : ['localhost', '127.0.0.1', '[::1]', ...allowedHosts]
  const admission = createAdmission({ allowedHosts: hosts, settings: { hosts: 'listen.admin.allowedHosts' } })
  const own = listenHost === '0.0.0.0' || listenHost === '::' ? undefined : written(listenHost)
  return (host, origin, localAddress) => {
    const name = host?.replace(/:\d+$/, '').toLowerCase()
    const isGood = name !== undefined && (name === own || (localAddress !== undefined && isAddress(name, localAddress)))
    return admission.admit(isGood ? 'localhost' : host, origin)
  }
}

function isAddress(name: string, localAddress: string): boolean {
  if (isLoopbackAddress(localAddress)) return false
  // A dual-stack socket shows an IPv4 address as a part of an IPv6 address.
  return name === written(localAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, ''))
}

/** Formats a host as in a `Host` header. */
function written(host: string): string {
  return host.includes(':') ? `[${host.toLowerCase()}]` : host.toLowerCase()
}
