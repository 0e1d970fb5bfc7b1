import type { Head } from '@junctor/contracts'
import { Match, type MsgHdrs } from '@nats-io/transport-node'

/**
 * A request for a channel in the form that the gateway's authenticator needs. NATS does not report the address of its
 * sender.
 */
export class BusHead implements Head {
  readonly transport = 'nats'
  readonly tenant: string
  readonly loopback = false
  readonly #headers: MsgHdrs | undefined

  constructor(tenant: string, headers: MsgHdrs | undefined) {
    this.tenant = tenant
    this.#headers = headers
  }

  header(name: string): string | undefined {
    // NATS headers are case-sensitive, HTTP headers are not.
    const [value] = this.#headers?.values(name, Match.IgnoreCase) ?? []
    return value
  }
}
