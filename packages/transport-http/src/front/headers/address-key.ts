import { isIPv6 } from 'node:net'

/** An IPv4 address on a socket for both families (RFC 4291 section 2.5.5.2), in both notations. */
const mapped = /^(?:0*:){2,5}ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i

/**
 * The key under which an address is counted. An IPv6 customer has a /64 or more, and may use another of its addresses
 * for each connection, so a /64 counts as one. An IPv4 address counts as itself, mapped or not.
 *
 * @param address of the peer, as a socket reports it
 * @returns an IPv4 address, or the first four groups of an IPv6 one without leading zeros, as `2001:db8:0:1::/64`
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  const [, dotted, high, low] = mapped.exec(plain) ?? []
  if (dotted !== undefined) return dotted
  if (high !== undefined && low !== undefined) return [...bytesOf(high), ...bytesOf(low)].join('.')
  const [before = '', after] = plain.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  // An IPv4 address at the end counts as two groups.
  const written = head.length + tail.length + (tail.at(-1)?.includes('.') === true ? 1 : 0)
  const groups = after === undefined ? head : [...head, ...Array<string>(8 - written).fill('0'), ...tail]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

function bytesOf(group: string): readonly [number, number] {
  const number = Number.parseInt(group, 16)
  return [number >> 8, number & 0xff]
}
