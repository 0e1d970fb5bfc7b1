import { Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import type { FastifyError, FastifyInstance } from 'fastify'
import { type AdmissionOptions, createAdmission } from '@junctor/connection'
import { JunctorError } from '@junctor/protocol'
import { createServer, type TlsCredentials } from './create-server.ts'
import { mountEndpoint, refuseByFramework, refuseElsewhere } from './endpoint.ts'
import type { HttpFrontPluginOptions } from './http-front-plugin.ts'
import { lastWordsMs } from './open-sinks.ts'
import { createServing, drain, type Serving } from './serving.ts'

/** Where a front listens, and whom it lets in. */
export interface HttpListen extends AdmissionOptions {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** Without them the front speaks plain HTTP. */
  readonly tls?: TlsCredentials
}

export interface HttpFrontOptions extends Pick<
  HttpFrontPluginOptions,
  'front' | 'limits' | 'log' | 'publicUrl' | 'shares'
> {
  readonly listen: HttpListen
}

/** A server of its own with the MCP endpoint on it. */
export interface HttpFront {
  /** The server, for what else is to be on it: more routes before `listen`, WebSocket upgrades at any time. */
  readonly app: FastifyInstance
  /** A connection has become something else than HTTP, such as a WebSocket: it is not silent. */
  heard(socket: Duplex): void
  /** Starts. `url` is that of the plain endpoint. Rejects with `LISTEN_FAILED`. */
  listen(): Promise<{ readonly url: string; readonly port: number }>
  /**
   * Stops: nobody new is let in, streams without an end of their own are ended, answers under way get `graceMs`
   * milliseconds (the limit's, unless given), what is left then is closed. Afterwards no socket and no timer is left.
   */
  close(graceMs?: number): Promise<void>
}

/** Creates the HTTP front: Streamable HTTP of 2025-03-26 and later, on a Fastify server. */
export function createHttpFront({ front, listen, limits, log, publicUrl, shares }: HttpFrontOptions): HttpFront {
  const serving = createServing({
    front,
    admission: createAdmission(listen),
    limits,
    log,
    publicUrl,
    shares,
    prefix: '',
  })
  const app = createServer(serving, listen.tls)
  app.setErrorHandler((error: FastifyError, request, reply) => refuseByFramework(serving, error, request, reply))
  app.register((endpoint, _options, done) => {
    mountEndpoint(endpoint, serving)
    // Here, where Fastify leaves bodies alone.
    endpoint.setNotFoundHandler((request, reply) => refuseElsewhere(serving, request, reply))
    done()
  })
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  let closed: Promise<void> | undefined

  return {
    app,
    heard: (socket) => void serving.room.heard(socket),
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
  // Requests that are still being read have no answer to wait for yet: they get the same time.
  const timer = setTimeout(() => server.closeAllConnections(), graceMs + lastWordsMs)
  // Not as HTTP servers close: that would also cut off connections whose answer is not sent yet.
  Server.prototype.close.call(server)
  await drain(serving, graceMs)
  // What the system holds for a connection that was just accepted is read first: two turns are one whole round of input.
  await turn()
  await turn()
  // Clients open connections ahead. Node takes one on which nothing came yet for one in use, and would wait for it.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  await app.close()
  clearTimeout(timer)
}

/** A host as it stands in a URL that this machine can open: wildcard addresses are no place to connect to. */
function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
