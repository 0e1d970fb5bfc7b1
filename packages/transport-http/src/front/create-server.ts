import { METHODS } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { answerBrokenRequest } from './broken-request.ts'
import { refuseByFramework } from './endpoint.ts'
import type { Serving } from './serving.ts'

/** A certificate and its key, as PEM texts. */
export interface TlsCredentials {
  readonly cert: string
  readonly key: string
}

/** Connections beyond all that there is room for, for as long as it takes to tell them. */
const toldOf = 256

/** A Fastify server that bounds what a connection may take, in time and space, and never speaks in Fastify's words. */
export function createServer(serving: Serving, tls: TlsCredentials | undefined): FastifyInstance {
  const { limits } = serving
  const http = {
    maxHeaderSize: limits.headers,
    headersTimeout: limits.headersTimeoutMs,
    // Admission refuses what has no Host, in the words of the catalogue.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.ceil(limits.headersTimeoutMs / 4),
  }
  const app = fastify({
    ...(tls === undefined ? { http } : { https: { ...http, ...tls } }),
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionTimeout: limits.stalledMs,
    exposeHeadRoutes: false,
    // Fastify counts closing as the start of a plugin: its ten seconds would be over before those that requests have.
    pluginTimeout: 0,
    // The endpoint goes on answering on connections that it closes afterwards: a load balancer may be a little behind.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => refuseByFramework(serving, error, request, reply),
    clientErrorHandler: (error, socket) => answerBrokenRequest(serving, error, socket),
  }) as FastifyInstance
  // Fastify knows the usual methods; what it does not know would be an unknown path instead of a method not allowed.
  for (const method of METHODS.filter((name) => !app.supportedMethods.includes(name))) app.addHttpMethod(method)
  // Those for which there is no room are told so, as long as they are not too many.
  app.server.maxConnections = limits.connections + toldOf
  app.server.on('connection', (socket: Socket) => {
    try {
      serving.room.take(socket)
    } catch (error) {
      serving.front.caught('connection', error, { transport: 'http' })
      socket.destroy()
    }
  })
  app.server.on('timeout', (socket: Socket) => closeStalled(serving, socket))
  return app
}

/** A silent connection is closed when it is idle, or when its reader takes nothing; not when it waits for an answer. */
function closeStalled(serving: Serving, socket: Socket): void {
  if (socket.writableLength > 0 || !serving.open.has(socket)) socket.destroy()
}
