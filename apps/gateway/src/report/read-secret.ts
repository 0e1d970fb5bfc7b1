import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** Reads a secret from standard input: all of a pipe, or one line that a user types and that the terminal does not show. */
export async function readSecret(
  { stdin, stderr, kill, pid }: Pick<NodeJS.Process, 'stdin' | 'stderr' | 'kill' | 'pid'>,
  what: string,
): Promise<string> {
  if (!stdin.isTTY) return text(stdin)
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output, terminal: true })
  // The terminal gives Ctrl-C to the reader as a key.
  lines.once('SIGINT', () => {
    lines.close()
    stderr.write('\n')
    kill(pid, 'SIGINT')
  })
  // Only now does the terminal not show what is typed.
  stderr.write(`${what}, which is not shown: `)
  const [line = ''] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as string[]
  lines.close()
  stderr.write('\n')
  return line
}
