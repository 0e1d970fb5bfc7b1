import { createAdmission, isLoopbackAddress } from '@junctor/connection'
import type { AdmissionVerdict } from '@junctor/connection'

/** Judges one request: its `Host` and `Origin`, and the address of this machine that it came to. */
export type AdminAdmission = (
  host: string | undefined,
  origin: string | undefined,
  localAddress: string | undefined,
) => AdmissionVerdict

/**
 * The rule that keeps web pages out. Besides this machine's names, good hosts are the one that is listened on, since the
 * port is reached by it, and the very address that the connection came to: orchestrators and Prometheus ask by address,
 * and a page of somebody else's cannot make its own name an address.
 *
 * @param allowedHosts names that the port is reached by besides: `name` or `name:port`
 * @param listenHost name or address; a wildcard address is nobody's host
 */
export function createAdminAdmission(listenHost: string, allowedHosts: readonly string[] = []): AdminAdmission {
  // A name that is listed comes beside those of this machine.
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
  // A socket that takes both kinds shows an IPv4 address as a part of an IPv6 one.
  return name === written(localAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, ''))
}

/** As a `Host` header has it. */
function written(host: string): string {
  return host.includes(':') ? `[${host.toLowerCase()}]` : host.toLowerCase()
}
