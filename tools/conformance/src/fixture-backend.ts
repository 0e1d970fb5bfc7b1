import { parseArgs } from 'node:util'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createFixtureServer } from './fixture-backend/create-fixture-server.ts'
import { serveFixtureHttp } from './fixture-backend/serve-fixture-http.ts'

// fixture-backend.ts --stdio          serves one client on stdin and stdout
// fixture-backend.ts --http PORT      serves on 127.0.0.1, any free port for 0, and prints {"url":…} when it is ready
const { values } = parseArgs({ options: { stdio: { type: 'boolean' }, http: { type: 'string' } } })

if (values.http !== undefined) {
  const { url } = await serveFixtureHttp(Number(values.http))
  console.log(JSON.stringify({ url }))
} else if (values.stdio === true) {
  await createFixtureServer().connect(new StdioServerTransport())
} else {
  console.error('Expected --stdio or --http PORT')
  process.exitCode = 2
}
