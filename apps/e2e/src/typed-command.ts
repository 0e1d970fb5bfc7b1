import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'

const repository = resolve(import.meta.dirname, '../../..')

/** The command of a clone, with somebody at its standard input. */
export interface TypedCommand {
  /** Types a line that is a request, and waits for the line that answers it. */
  ask(line: string): Promise<JsonObject>
  /** Types text that is not waited for. */
  type(text: string): void
  /** Ends the input. What was written to standard output in all, and the exit code. */
  end(): Promise<{ readonly output: string; readonly code: number | null }>
  /** What was written to standard error so far. */
  readonly log: string
}

/** Starts `bin/junctor serve --stdio` with this configuration file. */
export function typeInto(file: string, words: readonly string[] = []): TypedCommand {
  const child = spawn(resolve(repository, 'bin/junctor'), ['serve', '--stdio', '--config', file, ...words], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const exited = once(child, 'close')
  const waiting = new Map<unknown, (answer: JsonObject) => void>()
  let output = ''
  let log = ''
  let read = 0
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (log += chunk))
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
    for (let end = output.indexOf('\n', read); end !== -1; end = output.indexOf('\n', read)) {
      const message = JSON.parse(output.slice(read, end)) as JsonObject
      read = end + 1
      waiting.get(message['id'])?.(message)
      waiting.delete(message['id'])
    }
  })
  return {
    async ask(line) {
      const { id } = JSON.parse(line) as { id: unknown }
      const answered = new Promise<JsonObject>((answer) => waiting.set(id, answer))
      child.stdin.write(`${line}\n`)
      const ended = exited.then(() => Promise.reject(new Error(`it ended before it answered:\n${log}`)))
      return Promise.race([answered, ended])
    },
    type: (text) => void child.stdin.write(text),
    async end() {
      child.stdin.end()
      await exited
      return { output, code: child.exitCode }
    },
    get log() {
      return log
    },
  }
}
