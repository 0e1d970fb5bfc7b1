import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runToken } from './run-token.ts'

/** The configuration when there is no file: a backend in this process, and a real server in its own process. */
export interface Demo {
  /** The content of a configuration file. */
  readonly text: string
  /** Removes the folder of the file server. */
  remove(): void
}

/**
 * Creates the demo. Its file server is the official one from npm, in a new folder; without that package, or where
 * nothing can be written, the demo has no file server. The admin token is valid for this run only.
 *
 * @param adminPort 0 for a free port
 */
export function createDemoConfig(adminPort: number): Demo {
  const listen = { admin: { port: adminPort, token: runToken() } }
  const demo = { plugin: '@junctor/plugin-demo' }
  const server = fileServer()
  const folder = server === undefined ? undefined : newFolder()
  if (server === undefined || folder === undefined) {
    return { text: JSON.stringify({ listen, backends: { demo } }), remove: () => {} }
  }
  const files = { command: process.execPath, args: [server, folder] }
  return {
    text: JSON.stringify({ listen, backends: { demo, files } }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function newFolder(): string | undefined {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'junctor-demo-'))
    writeFileSync(join(folder, 'hello.txt'), 'Hello from the demo of Junctor.\n')
    return folder
  } catch {
    return undefined
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
