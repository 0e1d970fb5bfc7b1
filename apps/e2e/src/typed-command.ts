import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { JsonObject } from '@junctor/jsonrpc'
import { junctorArgs } from '@junctor/testkit'
import { publishMessage, publishPipes } from './canaries/seen-messages.ts'
import { watchSecrets } from './canaries/watch-secrets.ts'

/** The command, with a user at its standard input. */
export interface TypedCommand {
  readonly pid: number
  /** Types a request line, and waits for the line with its response. */
  ask(line: string): Promise<JsonObject>
  /** Types input without waiting. */
  type(input: string | Uint8Array): void
  /** Ends the input. Returns all lines of standard output with their newlines, and the exit code. */
  end(): Promise<{ readonly output: string; readonly code: number | null }>
  /** The standard error so far. */
  readonly log: string
}

/** Starts `junctor serve --stdio` with this configuration file. */
export function typeInto(file: string, words: readonly string[] = []): TypedCommand {
  const child = spawn(process.execPath, [...junctorArgs, 'serve', '--stdio', '--config', file, ...words])
  const watch = watchSecrets()
  publishPipes(child, child.stdin)
  const exited = once(child, 'close')
  const waiting = new Map<unknown, (answer: JsonObject) => void>()
  let output = ''
  let log = ''
  let read = 0
  // A command that ends early closes its input. Typing after that is not an error of the test.
  child.stdin.on('error', () => {})
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk
    watch.record('log', chunk)
  })
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    publishMessage({ peer: child, way: 'stdio', direction: 'received', text: chunk })
    output += chunk
    for (let end = output.indexOf('\n', read); end !== -1; end = output.indexOf('\n', read)) {
      const message = JSON.parse(output.slice(read, end)) as JsonObject
      read = end + 1
      waiting.get(message['id'])?.(message)
      waiting.delete(message['id'])
    }
  })
  return {
    pid: child.pid ?? 0,
    async ask(line) {
      const { id } = JSON.parse(line) as { id: unknown }
      const answered = new Promise<JsonObject>((answer) => waiting.set(id, answer))
      child.stdin.write(`${line}\n`)
      const ended = exited.then(() => Promise.reject(new Error(`it ended before it answered:\n${log}`)))
      return Promise.race([answered, ended])
    },
    type: (input) => void child.stdin.write(input),
    async end() {
      child.stdin.end()
      await exited
      watch.end()
      return { output, code: child.exitCode }
    },
    get log() {
      return log
    },
  }
}
