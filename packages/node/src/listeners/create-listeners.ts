import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '@junctor/config'
import { createStreamShares, streamSharesOf } from '@junctor/connection'
import type { Log } from '@junctor/contracts'
import type { Gateway } from '@junctor/gateway'
import { defaultHttpLimits } from '@junctor/transport-http/limits'
import { serveStdio, type StdioServer } from '@junctor/transport-stdio/front'
import type { Address } from './address.ts'
import { chosen, defaultDrainDelayMs, frameBounds, streamShareNames } from '../limits.ts'
import { createCertificateWarnings } from '../certificate-warnings.ts'
import type { Bus } from '../open-fabric.ts'
import { openOnce } from '../open-once.ts'
import type { AdminListener } from './admin-listener.ts'
import { openBusListener } from './bus-listener.ts'
import type { ClientListenerParts, OpenFront } from './client-listener.ts'
import { drainGateway } from './drain-gateway.ts'
import { type HttpListener, openHttpListener } from './http-listener.ts'

/** The listeners of a node: for clients and for the operator. */
export interface Listeners {
  /** Opens the configured listeners; called again, returns the same addresses. Rejects with `LISTEN_FAILED` or `CONFIG_INVALID`. */
  listen(): Promise<{ readonly http: Address; readonly admin: Address | undefined }>
  /** Uses what another configuration changes without a restart: a renewed certificate. */
  follow(next: Pick<Config, 'listen'>): void
  /** Opens only the admin port, for a node that serves standard streams. Rejects with `LISTEN_FAILED`. */
  listenAdmin(): Promise<Address | undefined>
  /** Serves one client on a pair of streams. */
  serveStdio(input: Readable, output: Writable): StdioServer
  /**
   * Refuses new clients and answers requests in progress. The admin port continues to report that the node is not
   * ready.
   */
  close(): Promise<void>
}

/** The addresses of the configuration, and the gateway behind them. */
export interface ListenersParts {
  readonly config: Config
  readonly gateway: Pick<Gateway, 'front' | 'retire' | 'endWaiting' | 'finishAccepted' | 'drain' | 'leave'>
  readonly admin: AdminListener
  /** Absent: the fabric has no bus. */
  readonly bus: Bus | undefined
  readonly log: Log
  readonly pages: ClientListenerParts['pages']
}

/** Creates the listeners of a configuration, none of them open. */
export function createListeners({ config, gateway, admin, bus, log, pages }: ListenersParts): Listeners {
  const { listen, limits } = config
  const { graceMs = defaultHttpLimits.graceMs, drainDelayMs = defaultDrainDelayMs } = limits
  const { connections = defaultHttpLimits.connections } = limits
  const shares = createStreamShares({ ...streamSharesOf(connections), ...chosen(limits, streamShareNames) })
  const { front } = gateway
  const parts: ClientListenerParts = { config, front, frame: frameBounds(limits), shares, log, pages }
  const fronts = new Set<OpenFront>()
  const closing = new AbortController()
  let isListening = false
  let { tls } = listen.http
  let http: HttpListener | undefined
  const certificates = createCertificateWarnings('listen.http.tls', 'clients', log)
  const renew = (): void => {
    if (tls === undefined || http === undefined) return
    http.renew(tls)
    certificates.use(tls)
  }

  return {
    listen: openOnce(async () => {
      // The admin port is first, so that a readiness probe is answered from the beginning.
      const opened = await admin.listen()
      http = await openHttpListener(parts, fronts, closing.signal)
      // It may have been renewed while the listener opened.
      renew()
      isListening = true
      if (listen.nats) await openBusListener(parts, fronts, bus, closing.signal)
      admin.become({ ready: true })
      return { http: http.address, admin: opened }
    }),
    follow(next) {
      tls = next.listen.http.tls
      renew()
    },
    async listenAdmin() {
      admin.become({ ready: true })
      return admin.listen()
    },
    serveStdio(input, output) {
      const server = serveStdio({ front, input, output, log, limits: { frame: parts.frame } })
      fronts.add(server)
      void server.closed.then(() => fronts.delete(server))
      if (closing.signal.aborted) void server.close()
      return server
    },
    async close() {
      closing.abort()
      certificates.close()
      admin.become({ ready: false, reason: 'draining' })
      gateway.retire()
      // Load balancers must see that the node is not ready before it refuses clients.
      if (isListening && drainDelayMs > 0) await delay(drainDelayMs)
      await drainGateway(gateway, fronts, graceMs)
    },
  }
}
