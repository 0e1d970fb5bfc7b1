import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { refusesPublicListen } from '@junctor/auth'
import type { Config } from '@junctor/config'
import { createStreamShares, type Log, streamSharesOf } from '@junctor/exchange'
import type { Gateway } from '@junctor/gateway'
import { JunctorError } from '@junctor/protocol'
import { defaultHttpLimits } from '@junctor/transport-http/limits'
import type { StdioServer } from '@junctor/transport-stdio/front'
import { serveStdio } from '@junctor/transport-stdio/front'
import type { Address } from './address.ts'
import type { AdminDoor } from './admin-door.ts'
import type { Bus } from './open-fabric.ts'
import {
  busLimitNames,
  channelLimitNames,
  chosen,
  defaultDrainDelayMs,
  frameBounds,
  httpLimitNames,
  streamShareNames,
} from './limits.ts'

/** The ways into a node: for clients, and for whoever runs it. */
export interface Doors {
  /** Opens what the configuration says. Rejects with `LISTEN_FAILED` or `CONFIG_INVALID`. */
  listen(): Promise<{ readonly http: Address; readonly admin: Address | undefined }>
  /** Opens the admin port alone, for a node that serves standard streams. Rejects with `LISTEN_FAILED`. */
  listenAdmin(): Promise<Address | undefined>
  /** Serves one client on a pair of streams. */
  serveStdio(input: Readable, output: Writable): StdioServer
  /** Lets nobody in any more, answers what is under way. The admin port goes on telling that the node is not ready. */
  close(): Promise<void>
}

export interface DoorParts {
  readonly config: Config
  readonly gateway: Pick<Gateway, 'front' | 'retire' | 'keepPromises' | 'drain' | 'leave'>
  readonly admin: AdminDoor
  /** Absent: the node is on none. */
  readonly bus: Bus | undefined
  readonly log: Log
}

/** How long clients over HTTP have to hear that they will not be answered, in milliseconds. */
const lastWordsMs = 500

export function createDoors({ config, gateway, admin, bus, log }: DoorParts): Doors {
  const { listen, auth, limits, publicUrl } = config
  const frame = frameBounds(limits)
  const { front } = gateway
  const { graceMs = defaultHttpLimits.graceMs, drainDelayMs = defaultDrainDelayMs } = limits
  const { connections = defaultHttpLimits.connections } = limits
  const shares = createStreamShares({ ...streamSharesOf(connections), ...chosen(limits, streamShareNames) })
  let isListening = false
  let isClosed = false
  /** What is left of the grace. */
  let leftMs = (): number => graceMs
  const fronts = new Set<Pick<StdioServer, 'close'>>()

  const listenHttp = async (): Promise<Address> => {
    const { host, port, allowedHosts, allowedOrigins, tls } = listen.http
    const authenticated = auth.apiKeys.length > 0 || auth.issuer !== undefined
    const verdict = refusesPublicListen({ host, authenticated, anonymous: auth.anonymous })
    if (verdict.refused) throw new JunctorError('CONFIG_INVALID', verdict.message)
    const admitted = { allowedHosts: withPublicHost(allowedHosts, publicUrl), allowedOrigins }
    // A node that serves standard streams starts sooner without what it has no use for.
    const [{ createHttpFront }, { createWebSocketFront }] = await Promise.all([
      import('@junctor/transport-http/front'),
      import('@junctor/transport-websocket/front'),
    ])
    if (isClosed) throw new JunctorError('CLOSED', 'expected a node that is open, got one that was closed')
    const http = createHttpFront({
      front,
      listen: { host, port, ...admitted, ...(tls && { tls }) },
      limits: { ...chosen(limits, httpLimitNames), frame },
      log,
      publicUrl,
      shares,
    })
    const webSockets = createWebSocketFront({
      front,
      server: http.app.server,
      listen: admitted,
      limits: { ...chosen(limits, channelLimitNames), frame },
      log,
      shares,
      accepted: (wire) => http.heard(wire),
    })
    fronts.add({ close: () => http.close(leftMs() + lastWordsMs) })
    fronts.add(webSockets)
    return http.listen()
  }

  /** Resolves when the clients on the bus are heard, or it is known that they must not be yet. */
  const listenOnBus = async (): Promise<void> => {
    if (bus === undefined) {
      throw new JunctorError('CONFIG_INVALID', 'expected a fabric on NATS for listen.nats, got one without')
    }
    const { connection, cluster } = bus
    const { createNatsFront } = await import('@junctor/transport-nats/front')
    const forget = bus.whenMember(() => {
      const busLimits = { ...chosen(limits, busLimitNames), frame }
      fronts.add(createNatsFront({ front, connection, cluster, limits: busLimits, log, shares }))
      log.info('clients on NATS are served', { cluster })
    })
    fronts.add({ close: async () => forget() })
    await connection.flush()
  }

  return {
    async listen() {
      // Whoever waits for it to be ready can ask from the beginning.
      const opened = await admin.listen()
      const http = await listenHttp()
      isListening = true
      if (listen.nats) await listenOnBus()
      admin.become({ ready: true })
      return { http, admin: opened }
    },
    async listenAdmin() {
      admin.become({ ready: true })
      return admin.listen()
    },
    serveStdio(input, output) {
      const server = serveStdio({ front, input, output, log, limits: { frame } })
      fronts.add(server)
      void server.closed.then(() => fronts.delete(server))
      return server
    },
    async close() {
      isClosed = true
      admin.become({ ready: false, reason: 'draining' })
      gateway.retire()
      // Whoever sends clients here has to see first that the node is not ready.
      if (isListening && drainDelayMs > 0) await delay(drainDelayMs)
      const until = performance.now() + graceMs
      leftMs = () => Math.max(0, until - performance.now())
      const timer = setTimeout(() => {
        try {
          gateway.leave()
        } catch (error) {
          front.caught('timer', error)
        }
      }, graceMs)
      // While clients can still come for what they were promised.
      await gateway.keepPromises(graceMs)
      await Promise.all([...[...fronts].map((one) => one.close()), gateway.drain(leftMs())])
      // What was under way may have opened sessions, and other nodes may have begun to use them.
      await gateway.drain(leftMs())
      clearTimeout(timer)
    },
  }
}

/** The name in the public URL is one that clients may call this gateway by, besides those that it has anyway. */
function withPublicHost(allowedHosts: readonly string[], publicUrl: string | undefined): readonly string[] {
  if (publicUrl === undefined) return allowedHosts
  const own = allowedHosts.length === 0 ? ['localhost', '127.0.0.1', '[::1]'] : allowedHosts
  return [...own, new URL(publicUrl).host]
}
