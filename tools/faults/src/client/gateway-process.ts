import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { compiledOnce, freePort, junctorProgram, listDescendants, type ProcessInfo } from '@junctor/testkit'
import { type Inspector, openInspector } from './inspector.ts'
import { StandardError } from './standard-error.ts'

/** How the command is started. It logs only warnings and errors. */
export interface GatewayProcessOptions {
  /** The configuration as in its file, without the ports: free ones are chosen. */
  readonly config: JsonObject
  /** Serves one client on its standard streams instead of HTTP. */
  readonly stdio?: boolean
  /** Further arguments of the command line. */
  readonly words?: readonly string[]
}

/** The real command, in its own process, which can be inspected. */
export interface GatewayProcess {
  readonly child: ChildProcessWithoutNullStreams
  readonly pid: number
  /** The URL of the endpoint without a tenant; empty over stdio. */
  readonly url: string
  /** The URL of the admin port, without a trailing slash. */
  readonly admin: string
  /** The configuration file, in its own folder. */
  readonly file: string
  readonly inspector: Inspector
  /** Its standard error, the newest megabyte of it. */
  stderr(): string
  /** Its resident memory in bytes. */
  rss(): number
  descriptors(): number
  descendants(): readonly ProcessInfo[]
  /** Sends SIGTERM, and resolves with its exit code. */
  stop(): Promise<number | null>
}

const shown = 1024 * 1024

/**
 * Resolves when the gateway is ready. Rejects when it does not start, and leaves nothing then. `stop` also removes its
 * folder.
 */
export async function startGatewayProcess(options: GatewayProcessOptions): Promise<GatewayProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-faults-'))
  const file = join(folder, 'junctor.json')
  // Over standard streams there is no message with a chosen port, so the port is chosen here.
  const admin = await freePort()
  const withPorts = { listen: { http: { port: 0 }, admin: { port: admin } }, ...options.config }
  writeFileSync(file, JSON.stringify(withPorts))
  const words = ['serve', '--config', file, '--json', '--log-level', 'warn', ...(options.words ?? [])]
  const child = spawn(
    process.execPath,
    ['--inspect=127.0.0.1:0', junctorProgram, ...words, ...(options.stdio === true ? ['--stdio'] : [])],
    { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] ?? '', ...compiledOnce } },
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
    // Otherwise it would wait for this process, and this process for it.
    if (text.includes('Waiting for the debugger')) inspector.close()
  })
  return { url: ready.http ?? '', inspector }
}

/** The system's information about a process. */
function viewOf(pid: number): Pick<GatewayProcess, 'pid' | 'rss' | 'descriptors' | 'descendants'> {
  return {
    pid,
    rss: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024,
    descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
    descendants: () => listDescendants(pid),
  }
}
