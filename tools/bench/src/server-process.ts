import { compiledOnce, programFile } from '@junctor/testkit'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'

/** The resources that a server has used so far. */
export interface Resources {
  /** Processor time of all its threads. */
  readonly cpuMicroseconds: number
  /** Bytes. */
  readonly rss: number
}

/** A message from a server program to the bench. The port is `undefined` when it uses its standard streams. */
export type ServerMessage =
  | { readonly kind: 'ready'; readonly port: number | undefined }
  | { readonly kind: 'resources'; readonly resources: Resources }

/** A question from the bench to a server program; `collect` collects its garbage first, if possible. */
export type ServerQuestion = 'measure' | 'collect'

/** A program to measure. */
export interface ServerProgram {
  readonly program: URL
  readonly args: readonly string[]
  /** Node's own options. Default: none. */
  readonly nodeOptions?: readonly string[]
}

/** A server under test, in its own process. */
export interface ServerProcess {
  /** `undefined` when it uses its standard streams. */
  readonly port: number | undefined
  readonly input: Writable
  readonly output: Readable
  resources(question?: ServerQuestion): Promise<Resources>
  stop(): Promise<void>
}

/** Starts a server with this process's Node. Rejects when it ends before it is ready. */
export async function startServer({ program, args, nodeOptions = [] }: ServerProgram): Promise<ServerProcess> {
  const child = fork(programFile(program), args, {
    execPath: process.execPath,
    execArgv: [...nodeOptions],
    env: { ...process.env, ...compiledOnce },
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  })
  const { stdin, stdout } = child
  if (stdin === null || stdout === null) throw new Error('a server was started without pipes')
  const exited = once(child, 'exit')
  const ready = await nextMessage(child)
  if (ready.kind !== 'ready') throw new Error(`${program.pathname} did not begin with "ready"`)
  return {
    port: ready.port,
    input: stdin,
    output: stdout,
    async resources(question = 'measure') {
      child.send(question)
      const answer = await nextMessage(child)
      if (answer.kind !== 'resources') throw new Error(`${program.pathname} did not report its resources`)
      return answer.resources
    },
    async stop() {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

async function nextMessage(child: ChildProcess): Promise<ServerMessage> {
  const ended = new AbortController()
  const exited = (code: number | null): void => ended.abort(new Error(`a server ended early, with code ${code}`))
  child.once('exit', exited)
  try {
    const [message] = (await once(child, 'message', { signal: ended.signal })) as [ServerMessage]
    return message
  } catch (error) {
    throw ended.signal.aborted ? (ended.signal.reason as Error) : error
  } finally {
    child.off('exit', exited)
  }
}
