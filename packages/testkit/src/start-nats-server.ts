import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { findNatsServer } from './find-nats-server.ts'

/** How the server is started, besides its port, which is a free one. */
export interface NatsServerOptions {
  /** Default: true. */
  readonly jetStream?: boolean
  /** More arguments, such as `--auth <token>`. */
  readonly args?: readonly string[]
  /** Variables for its configuration, in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** The storage folder. Default: a temporary folder, which is removed with the server. */
  readonly folder?: string
}

/** A real nats-server on the loopback interface, with its storage in its own folder. */
export interface NatsServer {
  readonly port: number
  /** `nats://127.0.0.1:<port>`. */
  readonly url: string
  /** The id of the current process. */
  readonly pid: number
  /** The monitoring URL of the current process, for example for `<monitor>/jsz`. */
  readonly monitor: string
  /**
   * Resolves when the server reports that it is healthy: it has its storage, and sees the leaders of replicated data.
   */
  well(): Promise<void>
  /** Kills it immediately, like a crash. */
  kill(): Promise<void>
  /** Starts it after `kill`, or replaces the running process: same port, same storage. */
  restart(): Promise<void>
  /** Ends it and cleans up. Idempotent. */
  stop(): Promise<void>
}

/** Starts a nats-server on a free port, and waits until it accepts connections. It always ends with this process. */
export async function startNatsServer(options: NatsServerOptions = {}): Promise<NatsServer> {
  const { jetStream = true, args = [], env = {} } = options
  const program = await findNatsServer()
  const own = await mkdtemp(join(tmpdir(), 'nats-'))
  const store = join(options.folder ?? own, 'store')
  const common = ['-a', '127.0.0.1', '-m', '-1', ...(jetStream ? ['-js', '-sd', store] : []), ...args]

  const start = async (port: number): Promise<Running> => {
    const child = spawn(program, [...common, '-p', String(port), '--ports_file_dir', own], {
      stdio: 'ignore',
      env: { ...process.env, ...env },
    })
    const unguarded = child.pid === undefined ? Promise.resolve() : guard(child, child.pid)
    const [error] = (await Promise.race([once(child, 'spawn'), once(child, 'error')])) as [Error?]
    if (error !== undefined) throw error
    try {
      const exited = once(child, 'exit').then(() => Promise.reject(new Error('it ended at once')))
      return { child, unguarded, ...(await Promise.race([eventually(() => readPorts(own, child)), exited])) }
    } catch (failure) {
      await end({ child, unguarded }, 'SIGKILL')
      throw new Error(`${program} did not start with ${common.join(' ')}`, { cause: failure })
    }
  }

  const clear = (): Promise<void> => rm(own, { recursive: true, force: true })
  let running: Running
  try {
    running = await start(-1)
  } catch (error) {
    await clear()
    throw error
  }
  const { port } = running
  return {
    port,
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return running.child.pid ?? 0
    },
    get monitor() {
      return running.monitor
    },
    well: () => eventually(() => checkHealth(running), electionMs),
    kill: () => end(running, 'SIGKILL'),
    async restart() {
      await end(running, 'SIGTERM')
      running = await start(port)
    },
    async stop() {
      // On SIGTERM it keeps connections open for a while, and no data of it are needed.
      await end(running, 'SIGKILL')
      await clear()
    },
  }
}

/**
 * Ends a process when this one is gone, even after SIGKILL: the watcher reads the end of its pipe then. Also when the
 * test runner is gone, whose worker this process is. The name appears in process lists. Resolves when the process and
 * its watcher have ended.
 */
async function guard(child: ChildProcess, pid: number): Promise<void> {
  const script = 'read -r _; kill -9 "$1"'
  const watcher = spawn('sh', ['-c', script, 'guard of a nats-server', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const stop = (): void => void child.kill('SIGKILL')
  process.once('disconnect', stop)
  const gone = once(watcher, 'exit')
  await once(child, 'exit')
  process.off('disconnect', stop)
  watcher.kill('SIGKILL')
  await gone
}

/** Servers that lose their leader elect another one in 4 to 9 s, and may need two elections. */
const electionMs = 40_000

async function checkHealth({ monitor }: Running): Promise<void> {
  const answer = await fetch(`${monitor}/healthz`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`expected a nats-server that is well, got ${text}`)
}

interface Ports {
  readonly port: number
  readonly monitor: string
}

interface Guarded {
  readonly child: ChildProcess
  /** Resolves when the process and its guard have ended. */
  readonly unguarded: Promise<void>
}

interface Running extends Ports, Guarded {}

/** The server writes its ports, once it listens, to a file named after its process. */
async function readPorts(folder: string, { pid }: ChildProcess): Promise<Ports> {
  const file = (await readdir(folder)).find((name) => name.endsWith(`_${pid}.ports`))
  if (file === undefined) throw new Error('the nats-server does not listen yet')
  const text = await readFile(join(folder, file), 'utf8')
  const { nats, monitoring } = JSON.parse(text) as Record<'nats' | 'monitoring', readonly string[]>
  return { port: Number(new URL(nats[0] ?? '').port), monitor: monitoring[0] ?? '' }
}

async function end({ child, unguarded }: Guarded, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  child.kill(signal)
  await unguarded
}
