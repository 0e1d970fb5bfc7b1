import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { urlHost } from '@junctor/primitives'
import { JunctorError } from '@junctor/protocol'
import type { AdminOptions } from './admin-options.ts'
import type { EventStream } from './event-stream.ts'
import { limitConnections } from './limit-connections.ts'

/** The admin port, for the operator. */
export interface Admin {
  /** Starts to listen. `url` is its root URL. Rejects with `LISTEN_FAILED` or `CLOSED`. */
  listen(): Promise<{ readonly url: string; readonly port: number }>
  /** Ends event streams, waits up to half a second for answers in progress, and closes all sockets. Idempotent. */
  close(): Promise<void>
}

/** The time limit from the first byte of a request to its last, in milliseconds. */
const requestMs = 10_000
/** How long an idle connection is kept, in milliseconds: longer than the interval of scrapes. */
const keepAliveMs = 75_000
/** The maximum number of open sockets: probes, one or two scrapers, a few people. */
const mostConnections = 200
const mostHeaderBytes = 8 * 1024
/** How long answers in progress are waited for, in milliseconds. */
const closeMs = 500

/** Shorter tokens are often words and can be guessed. */
const leastTokenCharacters = 16

/**
 * Creates the admin port: `GET /livez`, `/readyz`, `/metrics`, and with the token `/status` and `/events`. Throws
 * `CONFIG_INVALID` for a token that is too short.
 */
export function createAdmin(options: AdminOptions): Admin {
  const { host, port, token } = options.listen
  if (token !== undefined && token.length < leastTokenCharacters) {
    const got = `got ${token.length}`
    throw new JunctorError(
      'CONFIG_INVALID',
      `Expected an admin token of at least ${leastTokenCharacters} characters, ${got}`,
    )
  }
  const streams = new Set<EventStream>()
  let app: FastifyInstance | undefined
  let listening: ReturnType<Admin['listen']> | undefined
  let closed: Promise<void> | undefined
  const start = async (): ReturnType<Admin['listen']> => {
    app = await createApp(options, streams)
    if (closed !== undefined) throw new JunctorError('CLOSED', 'The admin port was closed before it was open')
    try {
      await app.listen({ host, port })
    } catch (cause) {
      throw new JunctorError('LISTEN_FAILED', `Cannot listen on ${host}:${port}`, { cause })
    }
    const address = app.server.address()
    const bound = typeof address === 'object' && address !== null ? address.port : port
    return { url: `http://${urlHost(host)}:${bound}`, port: bound }
  }
  const stop = async (): Promise<void> => {
    // A server that has not begun to listen cannot be closed: it would listen afterwards.
    await listening?.catch(() => undefined)
    if (app !== undefined) await close(app, streams)
  }

  return {
    listen: () => (listening = start()),
    close: () => (closed ??= stop()),
  }
}

/** The HTTP server is imported lazily, only by nodes with an admin port. */
async function createApp(options: AdminOptions, streams: Set<EventStream>): Promise<FastifyInstance> {
  const [{ fastify }, { createAdminRoutes }] = await Promise.all([import('fastify'), import('./admin-routes.ts')])
  const app = fastify({
    http: {
      maxHeaderSize: mostHeaderBytes,
      headersTimeout: requestMs,
      connectionsCheckingInterval: requestMs / 4,
      requireHostHeader: false,
    },
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    clientErrorHandler: (_error, socket) => refuseBroken(socket),
  })
  limitConnections(app.server, mostConnections)
  createAdminRoutes(app, options, streams)
  return app
}

async function close(app: FastifyInstance, streams: ReadonlySet<EventStream>): Promise<void> {
  for (const stream of streams) stream.end()
  const timer = setTimeout(() => app.server.closeAllConnections(), closeMs)
  await app.close()
  clearTimeout(timer)
}

/** Answers input that is not an HTTP request, or is not complete in time. */
function refuseBroken(socket: Socket): void {
  if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  socket.destroySoon()
}
