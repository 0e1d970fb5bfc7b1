import type { Head } from '@junctor/contracts'
import { Match, type MsgHdrs } from '@nats-io/transport-node'

/** A message that asks for a channel, as the gateway's authenticator sees it. Where on the bus its sender is, nobody can tell. */
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
    // NATS tells upper case from lower case, HTTP does not.
    const [value] = this.#headers?.values(name, Match.IgnoreCase) ?? []
    return value
  }
}
