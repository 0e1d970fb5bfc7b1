import { randomBytes } from 'node:crypto'
import { createStreamShares, type StreamShares, streamSharesOf } from '@junctor/connection'
import type { Front, Log } from '@junctor/contracts'
import type { NatsConnection } from '@nats-io/transport-node'
import { defaultFrontLimits, type FrontLimits } from '../options.ts'
import { untilServerReceived } from '../until-server-received.ts'
import { whenLost } from '../when-lost.ts'
import { BusConnection } from './bus-connection.ts'
import { createOpenings } from './openings.ts'

/** How clients on NATS are served. */
export interface NatsFrontOptions {
  readonly front: Front
  /** Stays open when the front is closed. */
  readonly connection: NatsConnection
  /** Clients of other clusters are ignored. */
  readonly cluster: string
  /** The limits that differ from `defaultFrontLimits`. */
  readonly limits?: Partial<FrontLimits>
  readonly log: Log
  /** The streams of the node, by client. Default: those of this front alone. */
  readonly shares?: StreamShares | undefined
}

/** The clients of one node on the bus. */
export interface NatsFront {
  /**
   * Stops: admits no new client, waits `graceMs` milliseconds (default: `limits.graceMs`) for pending answers, then
   * ends sessions and closes channels with `going_away`. Afterwards no subscription and no timer is left.
   */
  close(graceMs?: number): Promise<void>
}

/**
 * Serves clients on the bus, under `mcp.v1.<cluster>.<tenant>.<client>`: one channel is one session, one NATS message
 * one message or batch, of any revision that has sessions and in either dialect of JSON-RPC. All gateways of the
 * cluster listen; the gateway that admits a client serves it.
 */
export function createNatsFront({ front, connection, cluster, limits, log, shares }: NatsFrontOptions): NatsFront {
  const all = { ...defaultFrontLimits, ...limits }
  const held = shares ?? createStreamShares(streamSharesOf(all.connections))
  const clients = new Set<BusConnection>()
  const openings = createOpenings({
    connection,
    cluster,
    front,
    log,
    accept(subjects, identity, head) {
      if (clients.size >= all.connections) return undefined
      const leave = held.enter(identity)
      if (leave === undefined) return undefined
      // Other clients cannot guess it, and so cannot send on it.
      const channel = randomBytes(16).toString('base64url')
      const served = new BusConnection({ connection, subjects, channel, front, identity, head, limits: all, log })
      clients.add(served)
      void served.closed.then(() => clients.delete(served)).then(leave)
      return channel
    },
  })
  // Messages of clients may be lost meanwhile: as with a socket that is cut.
  const watch = whenLost(
    connection,
    () => {
      for (const client of clients) client.lose()
    },
    (error) => front.reportError('connection', error, { transport: 'nats' }),
  )
  let closed: Promise<void> | undefined

  const close = async (graceMs: number): Promise<void> => {
    await openings.stop()
    await Promise.all([...clients].map((client) => client.close(graceMs)))
    watch.stop()
    // The close messages are sent before the owner may close the connection.
    await untilServerReceived(connection, () => connection.flush())
  }
  return {
    close: (graceMs = all.graceMs) => (closed ??= close(graceMs)),
  }
}
