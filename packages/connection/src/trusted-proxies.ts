import { JunctorError } from '@junctor/protocol'
import ipaddr from 'ipaddr.js'
import { isLoopbackAddress } from './admission-authority.ts'
import { quotedHeader } from './admission-verdict.ts'

/** Which reverse proxies a listener trusts. */
export interface TrustedProxiesOptions {
  /**
   * The addresses of reverse proxies, single or as networks (`10.0.0.0/8`, `fd00::/8`). Their `X-Forwarded-For` says where
   * a request comes from. Default: none, and the header of everyone is ignored.
   */
  readonly trustedProxies?: readonly string[] | undefined
}

/** Where a request comes from. */
export interface RequestSource {
  /** The IP address under which the client is counted: a trusted proxy's own when it does not name that of its client. */
  readonly address: string
  /** Whether the client, and every proxy in between, is on this machine. */
  readonly loopback: boolean
}

/** The part of an HTTP request that says where it comes from. */
interface SourcedRequest {
  readonly socket: { readonly remoteAddress?: string | undefined }
  /** As Node gives them: several headers of one name are one, joined by commas. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Finds where requests come from. */
export interface TrustedProxies {
  /** Never throws: what cannot be read counts as the address of the last proxy that can. */
  sourceOf(request: SourcedRequest): RequestSource
}

type Address = ReturnType<typeof ipaddr.process>
type Network = readonly [Address, number]

/**
 * Compiles the list of trusted proxies. Each proxy adds the address of its peer at the end of `X-Forwarded-For`, so the
 * header is read from the end: the first address that is not of a trusted proxy is that of the client, and what stands
 * before it is only what the client says. Without a trusted peer the header names no client: it only says that the request
 * is not of this machine. Throws `CONFIG_INVALID` for an entry that is no network.
 */
export function createTrustedProxies(trustedProxies: readonly string[] = []): TrustedProxies {
  const networks = trustedProxies.map(networkOf)
  const isTrusted = (address: Address): boolean =>
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

  return {
    sourceOf({ socket, headers }) {
      const peer = socket.remoteAddress ?? ''
      const direct: RequestSource = { address: peer, loopback: isLoopbackAddress(peer) && !isForwarded(headers) }
      const forwarded = headers['x-forwarded-for']
      const from = networks.length === 0 || forwarded === undefined ? undefined : readAddress(peer)
      return from === undefined || !isTrusted(from) ? direct : lastUntrusted(direct, String(forwarded), isTrusted)
    },
  }
}

/** Headers with which proxies say for whom they forward. */
const forwardingHeaders = ['x-forwarded-for', 'x-real-ip', 'forwarded']

/**
 * Whether a request has come through a proxy from another machine, or may have. Any client can say so, and only loses by it.
 */
function isForwarded(headers: SourcedRequest['headers']): boolean {
  // A loop: this runs for each request, and a closure would be made for each.
  for (const name of forwardingHeaders) {
    const value = headers[name]
    if (value !== undefined && !String(value).split(',').every(isHere)) return true
  }
  return false
}

/** Whether an entry of these headers is an address of this machine. */
function isHere(entry: string): boolean {
  // RFC 7239: `for="[::1]:80";proto=https`.
  const text = entry.trim().replace(/^for="?([^";]*).*$/i, '$1')
  return isLoopbackAddress(readAddress(withoutPort(text))?.toString() ?? '')
}

/** Follows the header from the trusted peer to the client. */
function lastUntrusted(
  peer: RequestSource,
  forwarded: string,
  isTrusted: (address: Address) => boolean,
): RequestSource {
  let { address } = peer
  let loopback = isLoopbackAddress(address)
  for (const entry of forwarded.split(',').toReversed()) {
    const found = readAddress(withoutPort(entry.trim()))
    if (found === undefined) return { address, loopback: false }
    address = found.toString()
    loopback &&= isLoopbackAddress(address)
    if (!isTrusted(found)) break
  }
  return { address, loopback }
}

/** `1.2.3.4:80` and `[::1]:80` without port and brackets. */
function withoutPort(text: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? []
  return bracketed ?? dotted ?? text
}

/** Reads an IP address in its usual spelling; one of IPv4 that is mapped into IPv6 is one of IPv4. */
function readAddress(text: string): Address | undefined {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
  return isAddress ? ipaddr.process(text) : undefined
}

function networkOf(entry: string): Network {
  const [, text = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const address = readAddress(text)
  if (address !== undefined) {
    const all = address.kind() === 'ipv4' ? 32 : 128
    // The prefix of a mapped network counts the 96 bits before the IPv4 address.
    const isMapped = all === 32 && text.includes(':')
    const bits = prefix === undefined ? all : Number(prefix) - (isMapped ? 96 : 0)
    if (bits >= 1 && bits <= all) return [address, bits]
  }
  throw new JunctorError(
    'CONFIG_INVALID',
    `trustedProxies: expected an address or a network such as 10.0.0.0/8, got ${quotedHeader(entry)}`,
  )
}
