import type { Link, ServerInfo, Transport } from '@junctor/plugin-sdk/link'
import { reportUnhandled } from '../link/report-unhandled.ts'
import type { ConnectionLinkOptions } from './connection-link-options.ts'
import type { EraProbe } from './era-probe.ts'
import { PeerWire } from './peer-wire.ts'
import { StatelessLink } from './stateless-link.ts'

/** Starts a link of 2026-07-28 on the connection on which its server was asked for its era. */
export function startStateless(
  server: ServerInfo,
  probe: EraProbe,
  transport: Transport,
  options: ConnectionLinkOptions,
): Link {
  const wire: PeerWire = new PeerWire(
    transport,
    (notification) => link.unrelated(notification),
    (error) => reportUnhandled(options, error),
  )
  const link = new StatelessLink({ ...options, wire, server })
  probe.passTo(wire)
  link.start()
  return link
}
