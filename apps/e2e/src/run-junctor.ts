import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../../../bin/junctor', import.meta.url))

/** What the command has written when it has ended. */
export interface JunctorRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the command of a clone as a shell does: `printf <input> | bin/junctor <words>`, without a terminal. */
export async function runJunctor(words: readonly string[], input: string | Uint8Array): Promise<JunctorRun> {
  const child = spawn(command, words)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  // A command that ends early closes its input; what is still written then is no fault of the test.
  child.stdin.on('error', () => {})
  const closed = once(child, 'close') as Promise<[number | null]>
  child.stdin.end(input)
  const [code] = await closed
  return { code, stdout, stderr }
}
