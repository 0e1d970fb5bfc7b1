import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What is served when there is no configuration: a backend in this process, and a real server in one of its own. */
export interface Demo {
  /** A configuration file. */
  readonly text: string
  /** Removes the folder that the file server works in. */
  remove(): void
}

/**
 * Makes the demo. Its file server is the official one from npm, in a new folder of its own; where that package is not
 * installed the demo goes without. Its admin port has the token of this one run.
 *
 * @param adminPort 0 for a free one
 */
export function createDemo(adminPort: number): Demo {
  const listen = { admin: { port: adminPort, token: randomBytes(18).toString('base64url') } }
  const demo = { plugin: '@junctor/plugin-demo' }
  const server = fileServer()
  if (server === undefined) return { text: JSON.stringify({ listen, backends: { demo } }), remove: () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'junctor-demo-'))
  writeFileSync(join(folder, 'hello.txt'), 'Hello from the demo of Junctor.\n')
  const files = { command: process.execPath, args: [server, folder] }
  return {
    text: JSON.stringify({ listen, backends: { demo, files } }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function fileServer(): string | undefined {
  try {
    const manifest = import.meta.resolve('@modelcontextprotocol/server-filesystem/package.json')
    const file = fileURLToPath(new URL('dist/index.js', manifest))
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}
