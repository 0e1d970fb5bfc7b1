import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { startHttpServer } from '@junctor/testkit'
import type { FixtureHttp } from '../fixture-backend/serve-fixture-http.ts'
import { createStatelessFixture } from './create-stateless-fixture.ts'

/** Serves the fixture of 2026-07-28 over HTTP on 127.0.0.1, on a free port. It refuses older revisions. */
export async function serveStatelessHttp(): Promise<FixtureHttp> {
  const handler = createMcpHandler(createStatelessFixture, { legacy: 'reject' })
  const { origin, close } = await startHttpServer((request, response) => answer(handler, request, response))
  return {
    url: `${origin}/mcp`,
    async close() {
      await handler.close()
      await close()
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
  await pipeline(Readable.fromWeb(given.body), response)
}
