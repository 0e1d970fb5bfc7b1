import type { Link, ServerInfo, Transport } from '@junctor/plugin-sdk/link'
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
  const { backend, log, emit } = options
  const wire: PeerWire = new PeerWire(
    transport,
    (notification) => link.unrelated(notification),
    (error) => {
      log.error('a message of a backend could not be handled; other messages are not affected', { error })
      emit({ kind: 'plugin_failed', backend })
    },
  )
  const link = new StatelessLink({ ...options, wire, server })
  probe.passTo(wire)
  link.start()
  return link
}
