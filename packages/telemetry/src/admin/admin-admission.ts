import { createAdmission, isLoopbackAddress } from '@junctor/exchange'
import type { AdmissionVerdict } from '@junctor/exchange'

/** Judges one request: its `Host` and `Origin`, and the address of this machine that it came to. */
export type AdminAdmission = (
  host: string | undefined,
  origin: string | undefined,
  localAddress: string | undefined,
) => AdmissionVerdict

/**
 * The rule that keeps web pages out. Besides this machine's names, the very address that the connection came to is a good
 * host: orchestrators and Prometheus ask by address, and a page of somebody else's cannot make its own name an address.
 */
export function createAdminAdmission(): AdminAdmission {
  const admission = createAdmission({})
  return (host, origin, localAddress) => {
    const isByAddress = host !== undefined && localAddress !== undefined && isAddress(host, localAddress)
    return admission.admit(isByAddress ? 'localhost' : host, origin)
  }
}

function isAddress(host: string, localAddress: string): boolean {
  if (isLoopbackAddress(localAddress)) return false
  // A socket that takes both kinds shows an IPv4 address as a part of an IPv6 one.
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  const written = address.includes(':') ? `[${address}]` : address
  return host.replace(/:\d+$/, '').toLowerCase() === written.toLowerCase()
}
