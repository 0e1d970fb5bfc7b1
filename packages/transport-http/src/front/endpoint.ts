import type { RequestListener, Server } from 'node:http'
import { judgeTarget } from '@junctor/connection'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import findMyWay from 'find-my-way'
import { mediaTypes, type Situation } from '@junctor/protocol'
import { answerEmpty } from './serving/answer.ts'
import { preflightHeaders } from './headers/cors.ts'
import type { EndpointHandlers } from './methods/endpoint-handlers.ts'
import { get } from './methods/get.ts'
import { namedPath, type PathParams } from './request/named-path.ts'
import { ReceivedRequest } from './request/received-request.ts'
import { judgeFraming } from './headers/judge-framing.ts'
import { jobsHandlers } from './methods/jobs-handlers.ts'
import { metadataHandlers, metadataPaths } from './methods/metadata-handlers.ts'
import { createPlainPathReader } from './plain-path.ts'
import { answerPage, type FindPage } from './methods/pages.ts'
import { post } from './methods/post.ts'
import { deleteSession } from './methods/delete-session.ts'
import { drain, type Serving } from './serving/serving.ts'
import { badEscape } from './headers/bad-escape.ts'
import { situationOfStatus } from './headers/situation-of-status.ts'
import { sseHandlers } from './sse/sse-handlers.ts'

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

/** The endpoints, by their paths as Fastify writes them. */
function endpointsByPath({ publicUrl }: Serving): ReadonlyMap<string, EndpointHandlers> {
  return new Map([
    ...streamablePaths.map((path) => [path, streamable] as const),
    ...jobPaths.map((path) => [path, jobsHandlers] as const),
    ...ssePaths.map((path) => [path, sseHandlers] as const),
    ...metadataPaths(publicUrl).map((path) => [path, metadataHandlers] as const),
  ])
}

/** Prepares a Fastify instance for MCP endpoints: settings here do not affect the instance around it. */
export function prepareEndpoint(app: FastifyInstance, serving: Serving): void {
  // The endpoint reads bodies itself, after it has identified the caller, and with its own limit.
  app.removeAllContentTypeParsers()
  // The usual type has its own entry: Fastify parses any other type again for each request.
  app.addContentTypeParser([mediaTypes.json, '*'], (_request, _payload, done) => done(null))
  app.setErrorHandler((error: FastifyError, request, reply) => refuseByFramework(serving, error, request, reply))
  app.addHook('preClose', () => drain(serving, serving.limits.graceMs))
}

/** Adds the MCP endpoints to a Fastify instance of their own, with all methods that it knows. */
export function mountEndpoint(app: FastifyInstance, serving: Serving): void {
  prepareEndpoint(app, serving)
  for (const [url, endpoint] of endpointsByPath(serving)) {
    const handler = (request: FastifyRequest, reply: FastifyReply): void => {
      // From here on the endpoint writes the raw response: no further layer of Fastify is needed.
      reply.hijack()
      receive(new ReceivedRequest(serving, request.raw, reply.raw, namedPath(request.params as PathParams)), endpoint)
    }
    app.route({ method: app.supportedMethods, url, handler })
  }
}

/**
 * Takes all requests to the MCP endpoints before Fastify, which takes a tenth of the time of a call. It would also need a
 * route for each of its methods at each path, which takes ten milliseconds of a start. Other requests are left to Fastify.
 */
export function takeRequests(server: Server, serving: Serving): void {
  const others = server.listeners('request') as RequestListener[]
  const readPlainPath = createPlainPathReader()
  const find = createPathFinder(serving)
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (serving.ending.has(request.socket)) return
    const path = readPlainPath(request)
    if (path !== undefined) return receive(new ReceivedRequest(serving, request, response, path), streamable)
    const found = find(request.url ?? '')
    if (found === null) for (const listener of others) listener(request, response)
    else if (found.store === null) refuseLongPath(new ReceivedRequest(serving, request, response, {}))
    else receive(new ReceivedRequest(serving, request, response, namedPath(found.params)), found.store)
  })
}

/** What is at a path. `store: null`: a parameter in it is too long. */
interface FoundPath {
  readonly params: PathParams
  readonly store: EndpointHandlers | null
}

/** The router finds handlers. What is found here is the endpoint that is stored beside this one. */
function ignore(): void {}

/** Creates a reader of paths, with the router of Fastify. It returns null for a path without an endpoint. */
function createPathFinder(serving: Serving): (url: string) => FoundPath | null {
  const router = findMyWay({ onMaxParamLength: ignore })
  for (const [path, endpoint] of endpointsByPath(serving)) router.on('GET', path, ignore, endpoint)
  return (url) => router.find('GET', url)
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
  if (status >= 500) serving.log.error('a request failed in the HTTP server', { error })
  const message = error.code === 'FST_ERR_BAD_URL' ? badEscape(request.raw.url ?? '') : undefined
  refuse(serving, request, reply, situationOfStatus(status), status, message)
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
  message?: string,
): void {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined && !name.startsWith('content-')) kept[name] = String(value)
  }
  reply.hijack()
  const call = new ReceivedRequest(serving, request.raw, reply.raw, {})
  call.guard(() => call.refuse(situation, { status, headers: kept, ...(message !== undefined && { message }) }))
}

/** Refuses a path with a parameter that is too long, which is not read. */
function refuseLongPath(call: ReceivedRequest): void {
  call.guard(() => call.refuse('too_large', { status: 414 }))
}

/** Refuses a request because there was no room for its connection. */
function refuseConnection(call: ReceivedRequest): void {
  call.refuse('overloaded', { message: 'There are too many connections', headers: call.hangUp() })
}

function answer(call: ReceivedRequest, endpoint: EndpointHandlers): void {
  const target = judgeTarget(call.request)
  if (!target.ok) return call.refuse(target.situation, { message: target.message })
  const framing = judgeFraming(call.request)
  if (framing !== undefined) return call.refuse('invalid_request', { ...framing, headers: call.hangUp() })
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
    call.refuse('http_method_not_allowed', { from: { identity }, headers: { allow: allowed } })
  })
}
