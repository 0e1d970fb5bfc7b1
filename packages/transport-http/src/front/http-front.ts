import { lookup } from 'node:dns/promises'
import { Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Server as TlsServer, TLSSocket } from 'node:tls'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyError, FastifyInstance } from 'fastify'
import { type AdmissionOptions, createAdmission, type TrustedProxiesOptions } from '@junctor/connection'
import { urlHost } from '@junctor/primitives'
import { JunctorError } from '@junctor/protocol'
import { peerOf } from './serving/connection-room.ts'
import { createServer, type TlsCredentials } from './create-server.ts'
import { answerElsewhere, prepareEndpoint, refuseByFramework, takeRequests } from './endpoint.ts'
import type { HttpFrontPluginOptions } from './http-front-plugin.ts'
import { finalFlushMs } from './serving/open-sinks.ts'
import type { FindPage } from './methods/pages.ts'
import { createServing, drain, type Serving } from './serving/serving.ts'

/** The address of a front, its admission rules, and the proxies in front of it. */
export interface HttpListen extends AdmissionOptions, TrustedProxiesOptions {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** Default: plain HTTP. */
  readonly tls?: TlsCredentials
}

/** How clients are served over HTTP. */
export interface HttpFrontOptions extends Pick<
  HttpFrontPluginOptions,
  'front' | 'limits' | 'log' | 'publicUrl' | 'shares'
> {
  readonly listen: HttpListen
  /** Pages beside the endpoint. Default: there are none. */
  readonly pages?: FindPage
}

/** A server with the MCP endpoint on it. */
export interface HttpFront {
  /**
   * The Fastify server, for additions: more routes before `listen`, WebSocket upgrades at any time. Its hooks do not see
   * the requests of the endpoint.
   */
  readonly app: FastifyInstance
  /**
   * Call this for a request to upgrade a connection, for example to a WebSocket: it no longer counts as silent. Returns
   * whether there is room for it.
   */
  hasRoom(socket: Duplex): boolean
  /** Shows another certificate to clients that connect from now on. Only for a front that was created with one. */
  renew(tls: TlsCredentials): void
  /** Starts. `url` is the URL of the endpoint without a tenant. Rejects with `LISTEN_FAILED`. */
  listen(): Promise<{ readonly url: string; readonly port: number }>
  /**
   * Stops: accepts no connection but those that wait for that already, ends endless streams, and waits `graceMs`
   * milliseconds (default: `limits.graceMs`) for pending answers. Then it closes what is left. Afterwards no socket and no
   * timer is left.
   */
  close(graceMs?: number): Promise<void>
}

/** Creates the HTTP front: Streamable HTTP of 2025-03-26 and later, on a Fastify server. */
export function createHttpFront({ front, listen, limits, log, publicUrl, shares, pages }: HttpFrontOptions): HttpFront {
  const serving = createServing({
    front,
    admission: createAdmission(listen),
    trustedProxies: listen.trustedProxies,
    limits,
    log,
    publicUrl,
    shares,
    prefix: '',
  })
  const app = createServer(serving, listen.tls)
  app.setErrorHandler((error: FastifyError, request, reply) => refuseByFramework(serving, error, request, reply))
  app.register((endpoint, _options, done) => {
    prepareEndpoint(endpoint, serving)
    // Inside this plugin, because Fastify does not parse bodies here.
    endpoint.setNotFoundHandler((request, reply) => answerElsewhere(serving, request, reply, pages))
    done()
  })
  takeRequests(app.server, serving)
  const sockets = new Map<string, Socket>()
  const follow = (socket: Socket): void => {
    const key = peerOf(socket) ?? ''
    sockets.set(key, socket)
    socket.once('close', () => {
      if (sockets.get(key) === socket) sockets.delete(key)
    })
  }
  // After a handshake, the socket of TLS takes the place of the socket below it.
  app.server.on('connection', follow).on('secureConnection', follow)
  let listening: ReturnType<HttpFront['listen']> | undefined
  let closed: Promise<void> | undefined
  const start = async (): ReturnType<HttpFront['listen']> => {
    const { host, port, tls } = listen
    try {
      // For the name itself, Fastify would open a second server, without the endpoint, at ::1.
      const address = host === 'localhost' ? (await lookup(host, { order: 'ipv4first' })).address : host
      await app.listen({ host: address, port })
    } catch (cause) {
      throw new JunctorError('LISTEN_FAILED', `Cannot listen on ${host}:${port}`, { cause })
    }
    const address = app.server.address()
    const bound = typeof address === 'object' && address !== null ? address.port : port
    return { url: `${tls === undefined ? 'http' : 'https'}://${urlHost(host)}:${bound}/mcp`, port: bound }
  }

  return {
    app,
    hasRoom: (socket) => serving.room.markActive(socket),
    renew(tls) {
      if (app.server instanceof TlsServer) app.server.setSecureContext({ ...tls })
    },
    listen: () => (listening = start()),
    close(graceMs = serving.limits.graceMs) {
      closed ??= close({ app, serving, sockets, listening }, graceMs)
      return closed
    },
  }
}

/** What is closed. */
interface Closing {
  readonly app: FastifyInstance
  readonly serving: Serving
  readonly sockets: ReadonlyMap<string, Socket>
  /** Undefined: nobody has asked it to listen. */
  readonly listening: Promise<unknown> | undefined
}

async function close({ app, serving, sockets, listening }: Closing, graceMs: number): Promise<void> {
  const { server } = app
  // Requests that are still being received have no pending answer yet: they get the same time.
  const timer = setTimeout(() => server.closeAllConnections(), graceMs + finalFlushMs)
  serving.closing = true
  // Before the gateway ends their sessions, which it may do in the next turn: a stream says when its client comes back.
  serving.open.leave()
  // A server that has not begun to listen cannot be closed: it would listen afterwards.
  await listening?.catch(() => undefined)
  await acceptWaiting(server, graceMs)
  // Not with Fastify's or Node's own close: that would also cut connections whose answer is not sent yet.
  Server.prototype.close.call(server)
  await drain(serving, graceMs)
  // Reads first what the system has buffered for a connection that was just accepted: two turns are a full input round.
  await turn()
  await turn()
  // Clients open connections in advance. Node treats one without any byte as in use, and would wait for it.
  for (const socket of sockets.values()) if (!hasBegun(server, socket)) socket.destroy()
  await app.close()
  clearTimeout(timer)
}

/** The most connections that the system lets wait for a server that Node has opened. */
const mostWaiting = 511

/**
 * Accepts the connections that wait for that: the system resets them when the server stops to listen. Node accepts one in
 * each turn, so on a busy node some have waited since before it was asked to close.
 */
async function acceptWaiting(server: Server, graceMs: number): Promise<void> {
  const end = performance.now() + graceMs
  let quietTurns = 0
  const note = (): void => void (quietTurns = -1)
  server.on('connection', note)
  // The first turn may come before the next look for connections.
  for (let count = 0; quietTurns < 2 && count < mostWaiting && performance.now() < end; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one turn after the other
    await turn()
    quietTurns += 1
  }
  server.off('connection', note)
}

/** Whether bytes of a request have arrived. Those of a TLS handshake do not count. */
function hasBegun(server: Server, socket: Socket): boolean {
  return socket.bytesRead > 0 && (!(server instanceof TlsServer) || socket instanceof TLSSocket)
}
