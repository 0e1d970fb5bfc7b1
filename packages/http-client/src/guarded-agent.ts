import { lookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent } from 'undici'
import { addressKind, type AddressKind } from './address-kind.ts'
import { HttpRequestError } from './http-request-error.ts'

const connectTimeoutMs = 10_000

/**
 * Connections to addresses of the given kinds only. The address is judged when the socket is opened, and it is the one
 * that is connected to: a name that had another address a moment ago gains nothing. Addresses in URLs are not looked up,
 * so {@link refusedAddress} must judge them.
 */
export function createGuardedAgent(kinds: ReadonlySet<AddressKind>): Agent {
  const guardedLookup: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, '')
        return
      }
      const usable = addresses.filter(({ address }) => kinds.has(addressKind(address)))
      const [first] = usable
      if (first === undefined) callback(refusal(hostname, addresses), '')
      else if (options.all === true) callback(null, usable)
      else callback(null, first.address, first.family)
    })
  }
  return new Agent({
    connect: { lookup: guardedLookup, timeout: connectTimeoutMs },
    // Each request has one time limit for all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
}

/** The error for a host that is an address which may not be requested; `undefined` for names and other addresses. */
export function refusedAddress(
  host: string,
  isAddress: boolean,
  kinds: ReadonlySet<AddressKind>,
): HttpRequestError | undefined {
  if (!isAddress || kinds.has(addressKind(host))) return undefined
  return refusal(host, [{ address: host, family: 0 }])
}

function refusal(host: string, addresses: readonly LookupAddress[]): HttpRequestError {
  const kind = addresses.some(({ address }) => addressKind(address) === 'private') ? 'private' : 'reserved'
  return new HttpRequestError(
    'address_refused',
    `${host} has a ${kind} address, and is not one of the hosts for which such addresses are allowed`,
    { sent: false },
  )
}
