import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeFeatures } from '../../src/peers/describe-features.ts'
import { everythingFeatures } from '../../src/peers/everything-features.ts'
import { type Host, hostSessions } from '../../src/peers/host-sessions.ts'

/** The modules of the package's own programs. The programs listen on all interfaces, so they are not run here. */
interface Everything {
  readonly createServer: () => { readonly server: McpServer; readonly cleanup: (session?: string) => void }
}

const file = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/server/index.js')

let host: Host
beforeAll(async () => {
  // Its tool `get-env` shows the environment of this process.
  vi.stubEnv('FOR_THE_CHILD', '1')
  const { createServer } = (await import(file)) as Everything
  host = await hostSessions(async ({ onsessioninitialized, onsessionclosed }) => {
    const { server, cleanup } = createServer()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized,
      onsessionclosed(id) {
        cleanup(id)
        onsessionclosed(id)
      },
    })
    await server.connect(transport)
    return transport
  })
})
afterAll(async () => {
  await host.close()
  vi.unstubAllEnvs()
})

describeFeatures(() => ({ every: { url: host.url } }), everythingFeatures, 'longest')

test('every session was ended', () => {
  expect(host.sessions()).toBe(0)
})
