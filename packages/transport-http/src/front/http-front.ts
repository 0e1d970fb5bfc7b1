import { Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyError, FastifyInstance } from 'fastify'
import { type AdmissionOptions, createAdmission, type TrustedProxiesOptions } from '@junctor/connection'
import { JunctorError } from '@junctor/protocol'
import { createServer, type TlsCredentials } from './create-server.ts'
import { answerElsewhere, prepareEndpoint, refuseByFramework, takeRequests } from './endpoint.ts'
import type { HttpFrontPluginOptions } from './http-front-plugin.ts'
import { finalFlushMs } from './open-sinks.ts'
import type { FindPage } from './pages.ts'
import { createServing, drain, type Serving } from './serving.ts'

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
  /** Call this when a connection was upgraded, for example to a WebSocket: it no longer counts as silent. */
  upgraded(socket: Duplex): void
  /** Starts. `url` is the URL of the endpoint without a tenant. Rejects with `LISTEN_FAILED`. */
  listen(): Promise<{ readonly url: string; readonly port: number }>
  /**
   * Stops: accepts no new connection, ends endless streams, and waits `graceMs` milliseconds (default:
   * `limits.graceMs`) for pending answers. Then it closes what is left. Afterwards no socket and no timer is left.
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
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  let closed: Promise<void> | undefined

  return {
    app,
    upgraded: (socket) => void serving.room.markActive(socket),
    async listen() {
      const { host, port, tls } = listen
      try {
        await app.listen({ host, port })
      } catch (cause) {
        throw new JunctorError('LISTEN_FAILED', `Cannot listen on ${host}:${port}`, { cause })
      }
      const address = app.server.address()
      const bound = typeof address === 'object' && address !== null ? address.port : port
      return { url: `${tls === undefined ? 'http' : 'https'}://${urlHost(host)}:${bound}/mcp`, port: bound }
    },
    close(graceMs = serving.limits.graceMs) {
      closed ??= close(app, serving, sockets, graceMs)
      return closed
    },
  }
}

async function close(
  app: FastifyInstance,
  serving: Serving,
  sockets: ReadonlySet<Socket>,
  graceMs: number,
): Promise<void> {
  const { server } = app
  // Requests that are still being received have no pending answer yet: they get the same time.
  const timer = setTimeout(() => server.closeAllConnections(), graceMs + finalFlushMs)
  // Not with Fastify's or Node's own close: that would also cut connections whose answer is not sent yet.
  Server.prototype.close.call(server)
  await drain(serving, graceMs)
  // Reads first what the system has buffered for a connection that was just accepted: two turns are a full input round.
  await turn()
  await turn()
  // Clients open connections in advance. Node treats one without any byte as in use, and would wait for it.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  await app.close()
  clearTimeout(timer)
}

/** A host for a URL that this machine can open: a wildcard address cannot be connected to. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
