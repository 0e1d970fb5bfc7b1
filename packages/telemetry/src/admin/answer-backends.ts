import type { IncomingMessage } from 'node:http'
import { isJsonObject, parseJson } from '@junctor/jsonrpc'
import { mediaTypes } from '@junctor/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AdminBackends, AdminReply, Precondition } from './admin-backends.ts'
import { type AdminHandler, refuse, send } from './reply.ts'

/** The largest description of a backend, in bytes. */
const mostBytes = 64 * 1024

/** `GET /backends`. */
export function answerBackends(backends: AdminBackends): AdminHandler {
  return async (_request, reply) => sendReply(reply, await backends.list())
}

/** `GET`, `PUT` and `DELETE /backends/{name}`. */
export function answerBackend(backends: AdminBackends): AdminHandler {
  return async (request, reply) => {
    const { name } = request.params as { readonly name: string }
    if (request.method === 'GET' || request.method === 'HEAD') return sendReply(reply, await backends.one(name))
    const precondition = readPrecondition(request)
    if (precondition === undefined) {
      const message = 'expected If-Match: * or a revision in double quotes, or If-None-Match: *'
      return refuse(reply, 400, 'bad_request', message)
    }
    if (request.method === 'DELETE') return sendReply(reply, await backends.remove(name, precondition))
    const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
    if (type !== mediaTypes.json) {
      return refuse(
        reply,
        415,
        'unsupported_media_type',
        `expected Content-Type: application/json, got ${type ?? 'none'}`,
      )
    }
    const body = await readText(request.raw)
    if (body.kind === 'gone') return refuse(reply, 400, 'bad_request', 'expected the whole body')
    if (body.kind === 'too_large') {
      void reply.header('connection', 'close')
      return refuse(reply, 413, 'too_large', `expected at most ${mostBytes} bytes`)
    }
    const entry = parseJson(body.text)
    if (!isJsonObject(entry)) {
      const message = 'expected a JSON object that describes the backend, like {"url": "https://mcp.example.com/mcp"}'
      return refuse(reply, 400, 'bad_request', message)
    }
    return sendReply(reply, await backends.put(name, entry, precondition))
  }
}

function sendReply(reply: FastifyReply, { status, body, revision }: AdminReply): void {
  if (revision !== undefined) void reply.header('etag', `"${revision}"`)
  send(reply, status, body)
}

/** Reads `If-Match` and `If-None-Match` (RFC 9110, section 13.1). `undefined`: they cannot be used here. */
function readPrecondition({ headers: sent }: FastifyRequest): Precondition | undefined {
  const { 'if-match': match, 'if-none-match': none } = sent
  if (none !== undefined) return none === '*' && match === undefined ? { kind: 'absent' } : undefined
  if (match === undefined) return { kind: 'none' }
  if (match === '*') return { kind: 'present' }
  const [, revision] = /^"(\d{1,15})"$/.exec(match) ?? []
  return revision === undefined ? undefined : { kind: 'revision', revision: Number(revision) }
}

/** The text of a body. One that is too large is not read to its end. `gone`: the client has left, and reads no answer. */
type ReadText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'gone' }

function readText(request: IncomingMessage): Promise<ReadText> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      chunks.push(chunk)
      if (length <= mostBytes) return
      request.pause().removeAllListeners('data')
      resolve({ kind: 'too_large' })
    })
    request.once('end', () => resolve({ kind: 'text', text: Buffer.concat(chunks).toString('utf8') }))
    request.once('error', () => resolve({ kind: 'gone' }))
    request.once('close', () => resolve({ kind: 'gone' }))
  })
}
