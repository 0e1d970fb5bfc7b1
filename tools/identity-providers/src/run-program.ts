import { spawn } from 'node:child_process'

/** How a program ended. `missing`: there is no such program. */
export type Ended =
  | { readonly kind: 'missing' }
  | { readonly kind: 'exited'; readonly code: number | null; readonly output: string }

/** Runs a program to its end, or kills it after `milliseconds`; then its code is `null`. */
export function runProgram(program: string, args: readonly string[], milliseconds: number): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: milliseconds })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    child.once('error', () => resolve({ kind: 'missing' }))
    child.once('close', (code) => resolve({ kind: 'exited', code, output }))
  })
}
