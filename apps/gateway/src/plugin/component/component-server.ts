import { Readable } from 'node:stream'
import { type JsonObject, memberOf, parseExactly } from '@junctor/jsonrpc'
import { JunctorError, mediaTypes } from '@junctor/protocol'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { callTool, isLast, type ListedTool, listTools } from './call-tool.ts'
import type { SessionNode } from './own-session.ts'

/** The tools of a node as components over plain HTTP. */
export interface ComponentServer {
  /** Listens, and gives the URL. Rejects with `LISTEN_FAILED`. */
  listen(host: string, port: number): Promise<string>
  /**
   * Stops listening, and waits for the calls in progress, at most for this many milliseconds. Then it closes what is left:
   * a client may never send the rest of its request, or never read its answer.
   */
  close(graceMs: number): Promise<void>
}

const mostBytes = 4 * 1024 * 1024

/**
 * Serves the tools of a node as components: `GET` describes a tool, `POST` calls it with its arguments as body. A
 * single tool is at `/`; several are at `/tools/NAME`, and `/` lists them as a registry does.
 *
 * @param version of each component
 */
export function createComponentServer(node: SessionNode, version: string): ComponentServer {
  const server = fastify({ bodyLimit: mostBytes, forceCloseConnections: 'idle' })
  // Bodies need no content type, and arguments that are no JSON are judged like other wrong arguments.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  addRoutes(server, node, version)
  return {
    async listen(host, port) {
      try {
        return await server.listen({ host, port })
      } catch (cause) {
        throw new JunctorError('LISTEN_FAILED', `Cannot listen on ${host}:${port}`, { cause })
      }
    },
    async close(graceMs) {
      const timer = setTimeout(() => server.server.closeAllConnections(), graceMs)
      await server.close()
      clearTimeout(timer)
    },
  }
}

function addRoutes(server: FastifyInstance, node: SessionNode, version: string): void {
  server.get('/', async (_request, reply) => {
    const tools = await listTools(node)
    const only = onlyOf(tools)
    if (only !== undefined) return described(only, version)
    return reply.send({
      components: tools.map(({ name }) => ({ name, url: `tools/${encodeURIComponent(name)}` })),
    })
  })
  server.post('/', async (request, reply) => {
    const only = onlyOf(await listTools(node))
    return only === undefined ? notFound(reply) : answer(node, only.name, request, reply)
  })
  server.get<{ Params: { name: string } }>('/tools/:name', async ({ params }, reply) => {
    const tool = (await listTools(node)).find(({ name }) => name === params.name)
    return tool === undefined ? notFound(reply) : described(tool, version)
  })
  server.post<{ Params: { name: string } }>('/tools/:name', (request, reply) =>
    answer(node, request.params.name, request, reply),
  )
}

function onlyOf(tools: readonly ListedTool[]): ListedTool | undefined {
  return tools.length === 1 ? tools[0] : undefined
}

function notFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send(errorBody(-32_001, 'Tool not found'))
}

/** The description of a tool: without members that only a gateway adds. */
function described(tool: ListedTool, version: string): JsonObject {
  const { name, title, description, inputSchema, outputSchema, annotations, _meta } = tool
  return { name, title, description, version, inputSchema, outputSchema, annotations, _meta }
}

async function answer(
  node: SessionNode,
  name: string,
  { body, headers }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const input = argumentsIn(typeof body === 'string' ? body : '')
  if (input === undefined) return reply.code(400).send(errorBody(-32_700, 'Parse error'))
  const streams = headers.accept?.includes(mediaTypes.ndjson) === true
  const gone = new AbortController()
  reply.raw.on('close', () => gone.abort())
  const messages = callTool(node, { name, input, streams }, gone.signal)
  if (streams) {
    return reply.header('content-type', mediaTypes.ndjson).send(Readable.from(linesOf(messages)))
  }
  for await (const { value } of messages) {
    if (!isLast(value)) continue
    const { result, error } = value
    if (result !== undefined) return reply.send(result)
    return reply.code(statusOf(error)).send({ jsonrpc: '2.0', id: null, error })
  }
  return reply.code(503).send(errorBody(-32_004, 'The component is stopping'))
}

async function* linesOf(messages: AsyncIterable<{ readonly text: string }>): AsyncGenerator<string> {
  for await (const { text } of messages) yield `${text}\n`
}

/** The arguments in a body; undefined when it is not JSON. No body is no arguments. */
function argumentsIn(body: string): unknown {
  try {
    return body.trim() === '' ? {} : parseExactly(body)
  } catch {
    return undefined
  }
}

function errorBody(code: number, message: string): object {
  return { jsonrpc: '2.0', id: null, error: { code, message } }
}

/** The HTTP status for an error of JSON-RPC 3.0, as far as one says the same. */
const statuses: ReadonlyMap<unknown, number> = new Map([
  [-32_602, 400],
  [-32_004, 404],
  [-32_013, 413],
  [-32_029, 429],
  [-32_030, 503],
  [-32_008, 504],
])

function statusOf(error: unknown): number {
  return statuses.get(memberOf(error, 'code')) ?? 500
}
