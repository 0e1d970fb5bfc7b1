import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Era } from './eras.ts'
import type { Command } from './peer.ts'

/** A server of a peer that serves HTTP, in a process of its own. */
export interface HttpServer {
  /** The URL of its endpoint. */
  readonly url: string
  stop(): Promise<void>
}

/** Starts the server with `--http` and the era, and waits for the line with its URL. Rejects when it ends before that. */
export async function startHttpServer(
  [program, ...args]: Command,
  era: Era,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<HttpServer> {
  const child = spawn(program, [...args, '--http', era], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const line = await Promise.race([once(lines, 'line'), exited])
  const url = String(line[0])
  if (!URL.canParse(url)) throw new Error(`Expected a URL from ${program}, got ${url}`)
  return {
    url,
    async stop() {
      child.kill()
      await exited
    },
  }
}
