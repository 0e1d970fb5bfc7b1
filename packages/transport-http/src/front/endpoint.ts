import type { RequestListener, Server } from 'node:http'
import { judgeTarget } from '@junctor/connection'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mediaTypes, type Situation } from '@junctor/protocol'
import { answerEmpty } from './answer.ts'
import { preflightHeaders } from './cors.ts'
import type { EndpointHandlers } from './endpoint-handlers.ts'
import { get } from './get.ts'
import { ReceivedRequest, type PathParams } from './received-request.ts'
import { jobsHandlers } from './jobs-handlers.ts'
import { metadataHandlers, metadataPaths } from './metadata-handlers.ts'
import { createPlainPathReader } from './plain-path.ts'
import { answerPage, type FindPage } from './pages.ts'
import { post } from './post.ts'
import { deleteSession } from './delete-session.ts'
import { drain, type Serving } from './serving.ts'
import { situationOfStatus } from './situation-of-status.ts'
import { createSseHandlers } from './sse/sse-handlers.ts'

/** The Streamable HTTP endpoint. */
const streamable: EndpointHandlers = {
  allowed: 'GET, POST, DELETE, OPTIONS',
  verbs: { POST: post, GET: get, DELETE: deleteSession },
}

const streamablePaths = [
  '/mcp',
  '/mcp/:tenant',
  '/mcp/:tenant/:session',
  '/mcp/-/:backend',
  '/mcp/:tenant/-/:backend',
  '/mcp/:tenant/-/:backend/:session',
]
const jobPaths = ['/mcp/:tenant/jobs', '/mcp/:tenant/-/:backend/jobs']
const ssePaths = ['/sse', '/sse/:tenant', '/sse/-/:backend', '/sse/:tenant/-/:backend']

/** Adds the MCP endpoints to a Fastify instance of their own: settings here do not affect the instance around it. */
export function mountEndpoint(app: FastifyInstance, serving: Serving): void {
  // The endpoint reads bodies itself, after it has identified the caller, and with its own limit.
  app.removeAllContentTypeParsers()
  // The usual type has its own entry: Fastify parses any other type again for each request.
  app.addContentTypeParser([mediaTypes.json, '*'], (_request, _payload, done) => done(null))
  app.setErrorHandler((error: FastifyError, request, reply) => refuseByFramework(serving, error, request, reply))
  app.addHook('preClose', () => drain(serving, serving.limits.graceMs))

  mount(app, serving, streamablePaths, streamable)
  mount(app, serving, jobPaths, jobsHandlers)
  mount(app, serving, ssePaths, createSseHandlers())
  mount(app, serving, metadataPaths(serving.publicUrl), metadataHandlers)
}

function mount(app: FastifyInstance, serving: Serving, paths: readonly string[], endpoint: EndpointHandlers): void {
  const handler = (request: FastifyRequest, reply: FastifyReply): void => {
    // From here on the endpoint writes the raw response: no further layer of Fastify is needed.
    reply.hijack()
    receive(new ReceivedRequest(serving, request.raw, reply.raw, request.params as PathParams), endpoint)
  }
  for (const url of paths) app.route({ method: app.supportedMethods, url, handler })
}

/**
 * Takes POST requests on plain paths of Streamable HTTP before Fastify. Fastify would route them to the same handler, but
 * that takes a tenth of the time of a call. All other requests are left to Fastify.
 */
export function takePosts(server: Server, serving: Serving): void {
  const others = server.listeners('request') as RequestListener[]
  const readPlainPath = createPlainPathReader()
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const params = readPlainPath(request)
    if (params === undefined) for (const listener of others) listener(request, response)
    else receive(new ReceivedRequest(serving, request, response, params), streamable)
  })
}

function receive(call: ReceivedRequest, endpoint: EndpointHandlers): void {
  const { room, open } = call.serving
  const { socket } = call.request
  try {
    const isFirst = !open.knows(socket)
    if (isFirst) open.know(socket)
    if (isFirst && !room.markActive(socket)) refuseConnection(call)
    else answer(call, endpoint)
  } catch (error) {
    call.fail(error)
  }
}

/** Answers an error that Fastify or a plugin raised before or instead of the endpoint. */
export function refuseByFramework(
  serving: Serving,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const status = error.statusCode ?? 500
  if (status >= 500) serving.log.error('A request failed in the HTTP server', { error })
  refuse(serving, request, reply, situationOfStatus(status), status)
}

/** Answers a request to a path without an endpoint: with a page, or a refusal. */
export function answerElsewhere(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  pages: FindPage | undefined,
): void {
  if (pages !== undefined && pageAt(serving, request, reply, pages)) return
  refuse(serving, request, reply, 'unknown_tenant', 404)
}

function pageAt(serving: Serving, request: FastifyRequest, reply: FastifyReply, pages: FindPage): boolean {
  const call = new ReceivedRequest(serving, request.raw, reply.raw, {})
  if (!answerPage(call, pages)) return false
  reply.hijack()
  return true
}

/** Refuses as the endpoint does, in the version of the request. Headers that plugins have set are kept. */
function refuse(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  situation: Situation,
  status: number,
): void {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined && !name.startsWith('content-')) kept[name] = String(value)
  }
  reply.hijack()
  const call = new ReceivedRequest(serving, request.raw, reply.raw, {})
  call.guard(() => call.refuse(situation, { status, headers: kept }))
}

/** Refuses a request because there was no room for its connection. */
function refuseConnection(call: ReceivedRequest): void {
  call.refuse('overloaded', { message: 'There are too many connections', headers: { connection: 'close' } })
}

function answer(call: ReceivedRequest, endpoint: EndpointHandlers): void {
  const target = judgeTarget(call.request)
  if (!target.ok) return call.refuse(target.situation, { message: target.message })
  const { host, origin } = call.headers
  const verdict = call.serving.admission.admit(host, origin)
  if (!verdict.ok) return call.refuse(verdict.situation, { message: verdict.message })
  call.origin = origin
  const { method = '' } = call.request
  const verb = endpoint.verbs[method]
  if (verb !== undefined) verb(call)
  else if (method === 'OPTIONS') preflight(call, endpoint)
  else refuseVerb(call, endpoint)
}

function preflight(call: ReceivedRequest, { allowed }: EndpointHandlers): void {
  const wanted = call.header('access-control-request-headers')
  answerEmpty(call.response, 204, { ...call.moreHeaders(), ...preflightHeaders(allowed, call.origin, wanted) })
}

function refuseVerb(call: ReceivedRequest, { allowed }: EndpointHandlers): void {
  call.authenticate((identity) => {
    const from = { identity, session: undefined }
    call.refuse('http_method_not_allowed', { from, headers: { allow: allowed } })
  })
}
