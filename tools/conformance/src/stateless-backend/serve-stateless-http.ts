import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import type { FixtureHttp } from '../fixture-backend/serve-fixture-http.ts'
import { createStatelessFixture } from './create-stateless-fixture.ts'

/** Serves the fixture of 2026-07-28 over HTTP on 127.0.0.1, on a free port. It refuses older revisions. */
export async function serveStatelessHttp(): Promise<FixtureHttp> {
  const handler = createMcpHandler(createStatelessFixture, { legacy: 'reject' })
  const http = createServer((request, response) => void answer(handler, request, response))
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      await handler.close()
      http.closeAllConnections()
      await new Promise((resolve) => void http.close(resolve))
    },
  }
}

async function answer(handler: McpHttpHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
  const { method = 'GET' } = request
  const body = method === 'POST' ? Readable.toWeb(request) : null
  const init = { method, headers, body, signal: gone.signal, duplex: 'half' } as unknown as RequestInit
  const given = await handler.fetch(new Request(`http://${request.headers.host ?? ''}${request.url ?? ''}`, init))
  response.writeHead(given.status, Object.fromEntries(given.headers))
  if (given.body === null) return void response.end()
  await pipeline(Readable.fromWeb(given.body), response).catch(() => {})
}
