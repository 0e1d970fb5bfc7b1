import { createMcpHandler } from '@modelcontextprotocol/server'
import { startHttpServer, webAnswer } from '@junctor/testkit/http'
import type { FixtureHttp } from '../fixture-backend/serve-fixture-http.ts'
import { createStatelessFixture } from './create-stateless-fixture.ts'

/** Serves the fixture of 2026-07-28 over HTTP on 127.0.0.1, on a free port. It refuses older revisions. */
export async function serveStatelessHttp(): Promise<FixtureHttp> {
  const handler = createMcpHandler(createStatelessFixture, { legacy: 'reject' })
  const { origin, close } = await startHttpServer(webAnswer((request) => handler.fetch(request)))
  return {
    url: `${origin}/mcp`,
    async close() {
      await handler.close()
      await close()
    },
  }
}
