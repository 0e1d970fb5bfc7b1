import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const folder = join(import.meta.dirname, '../page')

/** The page of the host, on a port of this machine. */
export interface HostPage {
  readonly url: string
  close(): Promise<void>
}

/** Bundles the script of the host, and serves it with its page on a free port. */
export async function servePage(): Promise<HostPage> {
  const page = await readFile(join(folder, 'index.html'))
  const script = await bundle()
  const server = createServer(({ url }, response) => {
    if (url === '/') response.setHeader('content-type', 'text/html').end(page)
    else if (url === '/host.js') response.setHeader('content-type', 'text/javascript').end(script)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bundle(): Promise<string> {
  await using build = await rolldown({ input: join(folder, 'host.js'), platform: 'browser', logLevel: 'silent' })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false })
  return output[0].code
}
