import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startHttpServer } from '@junctor/testkit/http'
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
  const { origin, close } = await startHttpServer(({ url }, response) => {
    if (url === '/') response.setHeader('content-type', 'text/html').end(page)
    else if (url === '/host.js') response.setHeader('content-type', 'text/javascript').end(script)
    else response.writeHead(404).end()
  })
  return { url: `${origin}/`, close }
}

async function bundle(): Promise<string> {
  await using build = await rolldown({ input: join(folder, 'host.js'), platform: 'browser', logLevel: 'silent' })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false })
  return output[0].code
}
