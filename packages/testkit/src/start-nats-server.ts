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
  /** What its configuration refers to, besides the variables of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** Where it keeps things. Default: a folder of its own, which goes with it. */
  readonly folder?: string
}

/** A real nats-server on the loopback interface, with its storage in a folder of its own. */
export interface NatsServer {
  readonly port: number
  /** `nats://127.0.0.1:<port>`. */
  readonly url: string
  /** Of the process that runs now. */
  readonly pid: number
  /** Of its monitoring, of the process that runs now, as in `<monitor>/jsz`. */
  readonly monitor: string
  /** Resolves when it says that it is well: it has its storage, and sees the leaders of what it keeps with others. */
  well(): Promise<void>
  /** Ends it as a crash does: at once. */
  kill(): Promise<void>
  /** Starts it again after `kill`, or instead of the one that runs: the same port, the same storage. */
  restart(): Promise<void>
  /** Ends it and clears up. Idempotent. */
  stop(): Promise<void>
}

/** Starts a nats-server on a free port, and waits until it takes connections. It ends with this process, however that ends. */
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
      // It leaves connections alone for a while when asked to end, and nothing here is to be kept.
      await end(running, 'SIGKILL')
      await clear()
    },
  }
}

/**
 * Ends a process when this one is gone, which a SIGKILL leaves no time for: whoever holds the other end of the pipe reads
 * its end then. And when the runner of tests is gone, whose worker this one is. The name is for those who list processes.
 * Resolves when the process has ended, and its guard.
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

/** Servers that lose their leader elect another in 4 to 9 s, and may have to do it twice. */
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
  /** Resolves when it has ended, and its guard. */
  readonly unguarded: Promise<void>
}

interface Running extends Ports, Guarded {}

/** The server writes where it listens once it does, to a file that is named for its process. */
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
