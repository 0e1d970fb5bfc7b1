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

/** Where clouds serve the credentials of a machine outside of the link-local ranges: Azure, Alibaba, AWS, Google, Oracle. */
const metadataAddresses: ReadonlySet<string> = new Set(
  ['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe'].map((text) =>
    ipaddr.parse(text).toNormalizedString(),
  ),
)

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
  }
  if (metadataAddresses.has(address.toNormalizedString())) return 'reserved'
  // Of IPv6, only 2000::/3 has been given out (RFC 4291 section 2.4).
  if (range === 'unicast') return address instanceof ipaddr.IPv4 || address.match(globalUnicast) ? 'public' : 'reserved'
  return privateRanges.has(range) ? 'private' : 'reserved'
}
