import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  type AdmissionOptions,
  createAdmission,
  createStreamShares,
  createTrustedProxies,
  type StreamShares,
  streamSharesOf,
  type TrustedProxiesOptions,
} from '@junctor/connection'
import type { Front, Log } from '@junctor/contracts'
import { defaultFrontLimits, type FrontLimits } from '../options.ts'
import { createUpgrades } from './upgrades.ts'
import { WebSocketConnection } from './web-socket-connection.ts'

/** The default of HTTP connections. */
const defaultConnections = 10_000

/** How clients are served over WebSocket. */
export interface WebSocketFrontOptions {
  readonly front: Front
  /** The HTTP server whose requests become WebSockets: that of `createHttpFront`, or your own. */
  readonly server: Server
  /** The admission rules and trusted proxies, as over HTTP. */
  readonly listen: AdmissionOptions & TrustedProxiesOptions
  /** The limits that differ from `defaultFrontLimits`. */
  readonly limits?: Partial<FrontLimits>
  readonly log: Log
  /** The streams of the node, by client. Default: those of this front alone. */
  readonly shares?: StreamShares | undefined
  /** Whether the server has room for another WebSocket. Default: always. */
  readonly hasRoom?: (wire: Duplex) => boolean
}

/** The WebSockets of one HTTP server. */
export interface WebSocketFront {
  /**
   * Stops: accepts no new connection, waits `graceMs` milliseconds (default: `limits.graceMs`) for pending answers,
   * then ends sessions and closes connections with 1001. Afterwards no socket, timer or listener on the server is left.
   */
  close(graceMs?: number): Promise<void>
}

/**
 * Serves WebSockets at `/mcp` and `/mcp/{tenant}` of an HTTP server: one connection is one session, one text frame one
 * message or batch, of any revision that has sessions and in either dialect of JSON-RPC.
 */
export function createWebSocketFront({
  front,
  server,
  listen,
  limits,
  log,
  shares = createStreamShares(streamSharesOf(defaultConnections)),
  hasRoom = () => true,
}: WebSocketFrontOptions): WebSocketFront {
  const all = { ...defaultFrontLimits, ...limits }
  const connections = new Set<WebSocketConnection>()
  const upgrades = createUpgrades({
    server,
    admission: createAdmission(listen),
    proxies: createTrustedProxies(listen.trustedProxies),
    front,
    limits: all,
    log,
    hasRoom,
    enter: (identity) => shares.enter(identity),
    accept({ head, identity, ...connection }, leave) {
      const served = new WebSocketConnection({ front, identity, head, connection, limits: all, log })
      connections.add(served)
      void served.closed.then(() => connections.delete(served)).then(leave)
    },
  })
  let closed: Promise<void> | undefined

  const close = async (graceMs: number): Promise<void> => {
    upgrades.refuse()
    await Promise.all([...connections].map((connection) => connection.close(graceMs)))
    upgrades.detach()
  }
  return {
    close: (graceMs = all.graceMs) => (closed ??= close(graceMs)),
  }
}
