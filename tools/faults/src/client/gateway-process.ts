import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '@junctor/jsonrpc'
import { freePort, listDescendants, type ProcessInfo } from '@junctor/testkit'
import { type Inspector, openInspector } from './inspector.ts'
import { StandardError } from './standard-error.ts'

/** The command. */
export const main: string = fileURLToPath(new URL('../../../../apps/gateway/src/main.ts', import.meta.url))

export interface GatewayProcessOptions {
  /** The configuration as its file would say it, but for the ports: free ones are chosen. */
  readonly config: JsonObject
  /** Serves one client on its standard streams in place of HTTP. */
  readonly stdio?: boolean
  /** Further words of the command line. */
  readonly words?: readonly string[]
  /** Default: what it writes to standard error is read. A file descriptor, or a pipe that nobody reads. */
  readonly stderr?: number
}

/** The real command, in a process of its own that can be looked into. */
export interface GatewayProcess {
  readonly child: ChildProcessWithoutNullStreams
  readonly pid: number
  /** Of the plain endpoint; empty over stdio. */
  readonly url: string
  /** Of the admin port, without a slash at its end. */
  readonly admin: string
  /** The configuration file, in a folder of its own. */
  readonly file: string
  readonly inspector: Inspector
  /** What it has written to standard error, the newest megabyte of it. */
  stderr(): string
  /** Bytes of memory that the system has given it. */
  rss(): number
  descriptors(): number
  descendants(): readonly ProcessInfo[]
  /** Asks it to end, and resolves with its exit code. */
  stop(): Promise<number | null>
}

const shown = 1024 * 1024

export async function startGatewayProcess(options: GatewayProcessOptions): Promise<GatewayProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-faults-'))
  const file = join(folder, 'junctor.json')
  // Over standard streams nobody is told which port was free.
  const admin = await freePort()
  const withPorts = { listen: { http: { port: 0 }, admin: { port: admin } }, ...options.config }
  writeFileSync(file, JSON.stringify(withPorts))
  const words = ['serve', '--config', file, '--json', '--log-level', 'warn', ...(options.words ?? [])]
  const child = spawn(
    process.execPath,
    ['--inspect=127.0.0.1:0', main, ...words, ...(options.stdio === true ? ['--stdio'] : [])],
    { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] ?? '' } },
  )
  const exited = once(child, 'exit') as Promise<[number | null]>
  const stderr = new StandardError(child)
  child.stdin.on('error', () => {})
  try {
    const { url, inspector } = await untilReady(child, stderr)
    return {
      child,
      url,
      admin: `http://127.0.0.1:${admin}`,
      file,
      inspector,
      stderr: () => stderr.text,
      ...viewOf(child.pid ?? 0),
      async stop() {
        inspector.close()
        child.kill('SIGTERM')
        child.stdin.end()
        const [code] = await exited
        rmSync(folder, { recursive: true, force: true })
        return code
      },
    }
  } catch (error) {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

async function untilReady(
  child: ChildProcessWithoutNullStreams,
  stderr: StandardError,
): Promise<Pick<GatewayProcess, 'url' | 'inspector'>> {
  const line = await stderr.find(/^(\{"ready":.*\})$/m, 'a gateway')
  const ready = JSON.parse(line) as { ready: boolean; http?: string }
  if (!ready.ready) throw new Error(`The gateway did not start: ${stderr.text}`)
  const inspector = await openInspector(await stderr.find(/listening on (ws:\S+)/, 'a gateway'))
  stderr.keep(shown)
  child.stderr.on('data', (text: string) => {
    // Else it would wait for us, and we for it.
    if (text.includes('Waiting for the debugger')) inspector.close()
  })
  return { url: ready.http ?? '', inspector }
}

/** What the system tells of a process. */
function viewOf(pid: number): Pick<GatewayProcess, 'pid' | 'rss' | 'descriptors' | 'descendants'> {
  return {
    pid,
    rss: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
    descendants: () => listDescendants(pid),
  }
}
