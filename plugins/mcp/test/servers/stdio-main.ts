import { createInterface } from 'node:readline'

// Runs one of the servers on standard input and output: `node stdio-main.ts v1`. Imports only what that server needs.
const servers: Readonly<Record<string, () => Promise<void>>> = {
  async v1() {
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
    const { createV1Server } = await import('./v1-server.ts')
    await createV1Server().connect(new StdioServerTransport())
  },
  async v2() {
    const { StdioServerTransport } = await import('@modelcontextprotocol/server/stdio')
    const { createV2Server } = await import('./v2-server.ts')
    await createV2Server().connect(new StdioServerTransport())
  },
  async raw() {
    const { createRawServer } = await import('./raw-server.ts')
    const server = createRawServer((text) => process.stdout.write(`${text}\n`))
    createInterface({ input: process.stdin }).on('line', (line) => server.take(line))
  },
}
await servers[process.argv[2] ?? '']?.()
