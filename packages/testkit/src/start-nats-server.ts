import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { findNatsServer } from './find-nats-server.ts'

export interface NatsServerOptions {
  /** Default: true. */
  readonly jetStream?: boolean
  /** More arguments, such as `--auth <token>`. */
  readonly args?: readonly string[]
}

/** A real nats-server on the loopback interface, with its storage in a folder of its own. */
export interface NatsServer {
  readonly port: number
  /** `nats://127.0.0.1:<port>`. */
  readonly url: string
  /** Of the process that runs now. */
  readonly pid: number
  /** Ends it as a crash does: at once. */
  kill(): Promise<void>
  /** Starts it again after `kill`, or instead of the one that runs: the same port, the same storage. */
  restart(): Promise<void>
  /** Ends it and clears up. Idempotent. */
  stop(): Promise<void>
}

/** Starts a nats-server on a free port, and waits until it takes connections. */
export async function startNatsServer({ jetStream = true, args = [] }: NatsServerOptions = {}): Promise<NatsServer> {
  const program = await findNatsServer()
  const folder = await mkdtemp(join(tmpdir(), 'nats-'))
  const common = ['-a', '127.0.0.1', ...(jetStream ? ['-js', '-sd', join(folder, 'store')] : []), ...args]

  const start = async (port: number): Promise<{ child: ChildProcess; port: number }> => {
    const child = spawn(program, [...common, '-p', String(port), '--ports_file_dir', folder], { stdio: 'ignore' })
    const [error] = (await Promise.race([once(child, 'spawn'), once(child, 'error')])) as [Error?]
    if (error !== undefined) throw error
    try {
      const exited = once(child, 'exit').then(() => Promise.reject(new Error('it ended at once')))
      return { child, port: await Promise.race([eventually(() => readPort(folder, child)), exited]) }
    } catch (failure) {
      await end(child, 'SIGKILL')
      throw new Error(`${program} did not start with ${common.join(' ')}`, { cause: failure })
    }
  }

  let running = await start(-1)
  const { port } = running
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return running.child.pid ?? 0
    },
    kill: () => end(running.child, 'SIGKILL'),
    async restart() {
      await end(running.child, 'SIGTERM')
      running = await start(port)
    },
    async stop() {
      // It leaves connections alone for a while when asked to end, and nothing here is to be kept.
      await end(running.child, 'SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The server writes where it listens once it does, to a file that is named for its process. */
async function readPort(folder: string, { pid }: ChildProcess): Promise<number> {
  const file = (await readdir(folder)).find((name) => name.endsWith(`_${pid}.ports`))
  if (file === undefined) throw new Error('the nats-server does not listen yet')
  const { nats } = JSON.parse(await readFile(join(folder, file), 'utf8')) as { nats: readonly string[] }
  return Number(new URL(nats[0] ?? '').port)
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}
