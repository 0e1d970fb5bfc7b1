import { spawn } from 'node:child_process'
import type { Command } from './peer.ts'

/** How a program ended. `missing`: there is no such program. */
export type Ended =
  | { readonly kind: 'missing' }
  | { readonly kind: 'exited'; readonly code: number | null; readonly output: string; readonly errors: string }

/** Runs a program to its end, or kills it after `milliseconds`; then its code is `null`. */
export function runCommand([program, ...args]: Command, cwd: string, milliseconds: number): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: milliseconds })
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    child.once('error', () => resolve({ kind: 'missing' }))
    child.once('close', (code) => resolve({ kind: 'exited', code, output, errors }))
  })
}
