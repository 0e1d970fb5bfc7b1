import type { Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { answerBrokenRequest } from './broken-request.ts'
import { refuseByFramework } from './endpoint.ts'
import type { Serving } from './serving/serving.ts'

/** A certificate and its key, as PEM texts. */
export interface TlsCredentials {
  readonly cert: string
  readonly key: string
}

/** How many connections beyond the limit are accepted, for as long as it takes to refuse them. */
const refusedConnections = 256

/** A Fastify server with limits on the time and space of a connection, and with the error texts of the catalogue. */
export function createServer(serving: Serving, tls: TlsCredentials | undefined): FastifyInstance {
  const { limits } = serving
  const http = {
    maxHeaderSize: limits.headers,
    headersTimeout: limits.headersTimeoutMs,
    // Admission refuses a request without a Host, with the text of the catalogue.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.ceil(limits.headersTimeoutMs / 4),
  }
  const app = fastify({
    ...(tls === undefined ? { http } : { https: { ...http, ...tls } }),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionTimeout: limits.stalledMs,
    exposeHeadRoutes: false,
    // Fastify applies its plugin timeout of ten seconds to closing, which may take as long as requests may.
    pluginTimeout: 0,
    // While it closes, the endpoint still answers, and then closes the connection: a load balancer may lag behind.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => refuseByFramework(serving, error, request, reply),
    clientErrorHandler: (error, socket) => answerBrokenRequest(serving, error, socket),
  }) as FastifyInstance
  // Connections above the limit are refused with an answer, up to a second limit.
  app.server.maxConnections = limits.connections + refusedConnections
  // A client that has ended its side may still read its answers (RFC 9112): scripts with `nc -N` or `socat` do. Node
  // closes their connections at once, and has no documented option against it: `allowHalfOpen` changes nothing here.
  // If Node drops this member, these clients get no answers, and nothing else changes. Over TLS it has no effect.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  app.server.on('connection', (socket: Socket) => {
    try {
      serving.room.take(socket)
    } catch (error) {
      serving.front.reportError('connection', error, { transport: 'http' })
      socket.destroy()
    }
  })
  app.server.on('timeout', (socket: Socket) => closeStalled(serving, socket))
  return app
}

/** Closes a connection that is idle or whose reader takes nothing; not one that waits for an answer. */
function closeStalled(serving: Serving, socket: Socket): void {
  if (socket.writableLength > 0 || !serving.open.has(socket)) socket.destroy()
}
