import { parseArgs } from 'node:util'

// fixture-backend.ts --stdio: serves one client on stdin and stdout. With --stateless in place of it, as a server of
// 2026-07-28 alone. fixture-backend.ts --http PORT: serves on 127.0.0.1, any free port for 0, and prints {"url":…} when it
// is ready.
const { values } = parseArgs({
  options: { stdio: { type: 'boolean' }, stateless: { type: 'boolean' }, http: { type: 'string' } },
})

// Each mode loads only what it needs: a gateway starts one of these processes for each session.
if (values.http !== undefined) {
  const { serveFixtureHttp } = await import('./fixture-backend/serve-fixture-http.ts')
  const { url } = await serveFixtureHttp(Number(values.http))
  console.log(JSON.stringify({ url }))
} else if (values.stateless === true) {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  const { createStatelessFixture } = await import('./stateless-backend/create-stateless-fixture.ts')
  serveStdio(createStatelessFixture, { legacy: 'reject' })
} else if (values.stdio === true) {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const { createFixtureServer } = await import('./fixture-backend/create-fixture-server.ts')
  await createFixtureServer().connect(new StdioServerTransport())
} else {
  console.error('Expected --stdio, --stateless or --http PORT')
  process.exitCode = 2
}
