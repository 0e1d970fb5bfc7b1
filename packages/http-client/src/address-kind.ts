import ipaddr from 'ipaddr.js'

/**
 * Who can be reached at an address:
 *
 * - `public`: any host on the internet;
 * - `private`: this machine, or machines of its own network (RFC 1918, RFC 4193, RFC 6598, loopback);
 * - `reserved`: no server that a URL may name: link-local addresses, at which clouds serve the credentials of a machine
 *   (169.254.169.254), multicast, broadcast, unspecified and documentation addresses.
 */
export type AddressKind = 'public' | 'private' | 'reserved'

const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'])

/** AWS serves credentials at this address too, inside a range that is otherwise private. */
const metadataAddress = ipaddr.IPv6.parse('fd00:ec2::254').toNormalizedString()

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * The kind of an address. IPv6 addresses that contain an IPv4 address (mapped, NAT64) have the kind of that address. A
 * text that is no address is `reserved`.
 */
export function addressKind(text: string): AddressKind {
  if (!ipaddr.isValid(text)) return 'reserved'
  const address = ipaddr.process(text)
  const range = address.range()
  if (address instanceof ipaddr.IPv6) {
    // NAT64 (RFC 6052): the last 32 bits are the IPv4 address that is reached.
    if (range === 'rfc6052') return addressKind(address.toByteArray().slice(12).join('.'))
    if (address.toNormalizedString() === metadataAddress) return 'reserved'
  }
  // Of IPv6, only 2000::/3 has been given out (RFC 4291 section 2.4).
  if (range === 'unicast') return address instanceof ipaddr.IPv4 || address.match(globalUnicast) ? 'public' : 'reserved'
  return privateRanges.has(range) ? 'private' : 'reserved'
}
