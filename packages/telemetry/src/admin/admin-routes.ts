import { judgeTarget } from '@junctor/connection'
import { headers } from '@junctor/protocol'
import type { FastifyInstance } from 'fastify'
import { redactLine } from '../log/redact-line.ts'
import { createAdminAdmission } from './admin-admission.ts'
import type { AdminOptions } from './admin-options.ts'
import { answerBackend, answerBackends } from './answer-backends.ts'
import { answerEvents } from './answer-events.ts'
import { createBearerCheck } from './bearer-check.ts'
import type { EventStream } from './event-stream.ts'
import { type AdminHandler, lineOf, refuse, send, sendText } from './reply.ts'

// An import of this module would also load Node's client for `fetch`, a tenth of a start.
const { METHODS } = process.getBuiltinModule('node:http')

/** Adds the routes to a server. `streams` holds the open event streams, for the component that closes the server. */
export function createAdminRoutes(app: FastifyInstance, options: AdminOptions, streams: Set<EventStream>): void {
  const answers = adminAnswers(options, streams)
  takeEveryRequest(app)
  admitRequests(app, options.listen)
  for (const [url, { answer, methods = reading }] of Object.entries(answers)) {
    app.route({
      method: [...methods],
      url,
      exposeHeadRoute: false,
      async handler(request, reply) {
        await answer(request, reply)
        return reply
      },
    })
  }
  // Also for a method that a path does not answer: routes for all methods on all paths would be most of a node's start.
  app.setNotFoundHandler((request, reply) => {
    const known = answers[patternOf(request.url)]
    if (known === undefined) {
      const paths = Object.keys(answers).join(', ').replace(':name', '{name}')
      return refuse(reply, 404, 'not_found', `expected one of ${paths}`)
    }
    const { methods = reading } = known
    reply.header('allow', methods.join(', '))
    return refuse(reply, 405, 'method_not_allowed', `expected ${oneOf(methods)}, got ${request.method}`)
  })
  app.setErrorHandler((error: { readonly statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status < 500) return refuse(reply, status, 'bad_request', 'the request cannot be used')
    options.log.error('an answer of the admin port failed', { url: request.routeOptions.url, error })
    return refuse(reply, 500, 'internal_error', 'the answer could not be made; the log says why')
  })
}

const reading = ['GET', 'HEAD'] as const

/** The handler of a path, and the methods that it answers. Default: GET and HEAD. */
interface AdminPath {
  readonly answer: AdminHandler
  readonly methods?: readonly string[]
}

/** Returns the handler of each path. */
function adminAnswers(options: AdminOptions, streams: Set<EventStream>): Readonly<Record<string, AdminPath>> {
  const { metrics, backends } = options
  const withToken = tokenRequired(options.listen.token)
  const ready: AdminHandler = (_request, reply) => {
    const readiness = options.ready()
    if (readiness.ready) send(reply, 200, { status: 'ready' })
    else send(reply, 503, { status: 'not_ready', reason: readiness.reason })
  }
  const metricsText: AdminHandler = async (_request, reply) => {
    const text = await metrics.text()
    void reply.header('content-type', metrics.contentType).send(text)
  }
  const status: AdminHandler = async (_request, reply) => {
    const shown = await options.status()
    const readiness = options.ready()
    const whole = readiness.ready ? shown : { ...shown, notReady: readiness.reason }
    // The errors of backends in it may contain any text.
    sendText(reply, 200, redactLine(lineOf(whole)))
  }
  return {
    '/livez': { answer: (_request, reply) => send(reply, 200, { status: 'ok' }) },
    '/readyz': { answer: ready },
    '/metrics': { answer: metricsText },
    '/status': { answer: withToken(status) },
    '/events': { answer: withToken(answerEvents(options, streams)) },
    ...(backends !== undefined && {
      '/backends': { answer: withToken(answerBackends(backends)) },
      '/backends/:name': { answer: withToken(answerBackend(backends)), methods: ['GET', 'HEAD', 'PUT', 'DELETE'] },
    }),
  }
}

/** The pattern of the path in an address. */
function patternOf(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.replace(/^\/backends\/[^/]+$/, '/backends/:name')
}

function oneOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** Returns a wrapper that answers only requests with the token, and others with 401. */
function tokenRequired(token: string | undefined): (answer: AdminHandler) => AdminHandler {
  const check = createBearerCheck(token)
  return (answer) => (request, reply) => {
    const problem = check(request.headers.authorization)
    if (problem === undefined) return answer(request, reply)
    reply.header(headers.wwwAuthenticate, 'Bearer')
    refuse(reply, 401, 'unauthorized', problem)
  }
}

/** Routes requests of every method and with any body to the handlers, so that they are answered uniformly. */
function takeEveryRequest(app: FastifyInstance): void {
  // The path that uses a body reads it itself; others are dropped with the connection.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  for (const method of METHODS.filter((name) => !app.supportedMethods.includes(name))) app.addHttpMethod(method)
}

/** Refuses a target that is not a path (400), and hosts and origins that are not allowed (403). */
function admitRequests(app: FastifyInstance, { host: ownHost, allowedHosts }: AdminOptions['listen']): void {
  const admit = createAdminAdmission(ownHost, allowedHosts)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store')
    const target = judgeTarget(request.raw)
    if (!target.ok) return refuse(reply, 400, 'bad_request', target.message)
    const { host, origin } = request.headers
    const verdict = admit(host, origin, request.socket.localAddress)
    if (verdict.ok) done()
    else refuse(reply, 403, 'forbidden', verdict.message)
  })
}
