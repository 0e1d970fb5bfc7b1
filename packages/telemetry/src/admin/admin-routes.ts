import { judgeTarget } from '@junctor/exchange'
import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { headers, mediaTypes } from '@junctor/protocol'
import { isAskedFor, readEventQuery } from '../events/event-query.ts'
import { shown } from '../events/shown.ts'
import { redactLine } from '../log/redact-line.ts'
import { createAdminAdmission } from './admin-admission.ts'
import { readAskedEvents } from './asked-events.ts'
import { createBearerCheck } from './bearer-check.ts'
import type { AdminOptions } from './admin-options.ts'
import { EventStream } from './event-stream.ts'

type Answer = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>

/** Followers of events at once. */
const mostFollowers = 32

/** Puts the routes onto a server. `streams` are those that are open, for whoever closes the server. */
export function createAdminRoutes(app: FastifyInstance, options: AdminOptions, streams: Set<EventStream>): void {
  const { log, metrics } = options
  const admit = createAdminAdmission(options.listen.host, options.listen.allowedHosts)
  const check = createBearerCheck(options.listen.token)

  const withToken =
    (answer: Answer): Answer =>
    (request, reply) => {
      const problem = check(request.headers.authorization)
      if (problem === undefined) return answer(request, reply)
      reply.header(headers.wwwAuthenticate, 'Bearer')
      refuse(reply, 401, 'unauthorized', problem)
    }

  const answers: Readonly<Record<string, Answer>> = {
    '/livez': (_request, reply) => send(reply, 200, { status: 'ok' }),
    '/readyz': (_request, reply) => {
      const readiness = options.ready()
      if (readiness.ready) send(reply, 200, { status: 'ready' })
      else send(reply, 503, { status: 'not_ready', reason: readiness.reason })
    },
    '/metrics': async (_request, reply) => {
      const text = await metrics.text()
      void reply.header('content-type', metrics.contentType).send(text)
    },
    // Errors of backends are in it, and they may say anything.
    '/status': withToken(async (_request, reply) => sendText(reply, 200, redactLine(lineOf(await options.status())))),
    '/events': withToken((request, reply) => answerEvents(options, streams, request, reply)),
  }

  // Bodies are for nobody here; what comes of them is dropped with the connection.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  for (const method of METHODS.filter((name) => !app.supportedMethods.includes(name))) app.addHttpMethod(method)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store')
    const target = judgeTarget(request.raw)
    if (!target.ok) return refuse(reply, 400, 'bad_request', target.message)
    const { host, origin } = request.headers
    const verdict = admit(host, origin, request.socket.localAddress)
    if (verdict.ok) done()
    else refuse(reply, 403, 'forbidden', verdict.message)
  })
  for (const [url, answer] of Object.entries(answers)) {
    app.route({
      method: app.supportedMethods,
      url,
      async handler(request, reply) {
        if (request.method === 'GET' || request.method === 'HEAD') await answer(request, reply)
        else {
          reply.header('allow', 'GET, HEAD')
          refuse(reply, 405, 'method_not_allowed', `expected GET or HEAD, got ${request.method}`)
        }
        return reply
      },
    })
  }
  app.setNotFoundHandler((_request, reply) =>
    refuse(reply, 404, 'not_found', `expected one of ${Object.keys(answers).join(', ')}`),
  )
  app.setErrorHandler((error: { readonly statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status < 500) return refuse(reply, status, 'bad_request', 'the request cannot be used')
    log.error('an answer of the admin port failed', { url: request.routeOptions.url, error })
    return refuse(reply, 500, 'internal_error', 'the answer could not be made; the log says why')
  })
}

async function answerEvents(
  { events, allEvents }: AdminOptions,
  streams: Set<EventStream>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const read = readAskedEvents(new URL(request.raw.url ?? '', 'http://localhost').searchParams)
  if (read.kind === 'bad') return refuse(reply, 400, 'bad_request', read.message)
  const { tenant, asked, follow } = read
  if (tenant !== undefined && !events.knows(tenant))
    return refuse(reply, 404, 'unknown_tenant', `tenant: expected one of the configuration, got ${shown(tenant)}`)
  if (!follow || request.method === 'HEAD') {
    const all = await allEvents(tenant, asked)
    if (all.kind === 'bad') return refuse(reply, 400, 'bad_request', all.message)
    if (all.silent !== undefined && all.silent.length > 0) void reply.header(headers.silentNodes, all.silent.join(', '))
    return send(reply, 200, all.events)
  }
  const queried = events.query(tenant, asked)
  if (queried.kind === 'bad') return refuse(reply, 400, 'bad_request', queried.message)
  if (streams.size >= mostFollowers)
    return refuse(reply, 503, 'overloaded', `expected at most ${mostFollowers} followers at once`)
  // The same as was read above, so it can be read.
  const wanted = readEventQuery(asked, 0)
  reply.hijack()
  const stream: EventStream = new EventStream(reply.raw, () => streams.delete(stream))
  streams.add(stream)
  stream.writeOld(queried.events)
  // Nothing happens in between: what is written until here and what is heard from here on is all there is.
  stream.following = events.follow(tenant, (event) => {
    if (wanted.kind === 'query' && isAskedFor(event, wanted.query)) stream.write(event)
  })
}

function send(reply: FastifyReply, status: number, body: object): void {
  sendText(reply, status, lineOf(body))
}

function sendText(reply: FastifyReply, status: number, text: string): void {
  void reply.code(status).header('content-type', mediaTypes.json).header('cache-control', 'no-store').send(text)
}

function lineOf(body: object): string {
  return `${JSON.stringify(body)}\n`
}

function refuse(reply: FastifyReply, status: number, error: string, message: string): void {
  send(reply, status, { error, message })
}
