import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { announce } from './announce.ts'
import { type LeanMessage, responseTo } from './answer.ts'

// A hand-written MCP server on node:http that answers JSON: the minimal cost of an answer over HTTP. With `stateless` it is
// a server of 2026-07-28 too.
const isStateless = process.argv[2] === 'stateless'

const sessionId = 'the-one-session'

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    // Junctor requests a stream of the session, and ends the session with DELETE; a server need not support either.
    if (request.method === 'POST') answer(JSON.parse(body) as LeanMessage, response)
    else response.writeHead(405, { 'content-length': 0 }).end()
  })
})

function answer(message: LeanMessage, response: ServerResponse): void {
  if (message.id === undefined) {
    response.writeHead(202, { 'content-length': 0 }).end()
    return
  }
  const text = JSON.stringify(responseTo(message, isStateless))
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  response.writeHead(200, message.method === 'initialize' ? { ...headers, 'mcp-session-id': sessionId } : headers)
  response.end(text)
}

server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port))
