import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { report, type Violation } from './violation.ts'
import { repository, readWorkspace, type WorkspacePackage } from './workspace.ts'

// Checks what would be published: the tarball that pnpm makes of each public package, with publint and attw; a command
// is installed from it, alone, and run. The tarball and not the folder, because only packing inserts the built
// entry points and real versions.

/** The arguments of each command after its installation: the gateway serves its demo, which loads most of its code. */
const firstWords: Readonly<Record<string, readonly string[]>> = {
  junctor: ['call', 'demo__add', 'a=2', 'b=3'],
  'junctor-worker': ['--help'],
}

const bin = join(repository, 'node_modules/.bin')
const packages = readWorkspace(repository).filter(({ manifest }) => manifest.private !== true)
const problems = packages.flatMap((entry) => judgePacked(entry))
report('packed', `${packages.length} packages`, problems)

function judgePacked({ folder, manifest }: WorkspacePackage): Violation[] {
  const scratch = mkdtempSync(join(tmpdir(), 'junctor-packed-'))
  const from = join(repository, folder)
  try {
    const packing = run('pnpm', ['pack', '--pack-destination', scratch], from)
    if (packing !== undefined) return [{ where: folder, what: `does not pack: ${packing}` }]
    const tarball = join(scratch, readdirSync(scratch).find((file) => file.endsWith('.tgz')) ?? '')
    const outputs = [
      run(join(bin, 'publint'), [tarball, '--strict'], from),
      ...(manifest.exports ? [run(join(bin, 'attw'), [tarball, '--profile', 'esm-only', '--no-color'], from)] : []),
      ...(manifest.bin ? runInstalled(Object.keys(manifest.bin), tarball, scratch) : []),
    ]
    return outputs.filter((output) => output !== undefined).map((what) => ({ where: folder, what }))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function runInstalled(names: readonly string[], tarball: string, folder: string): (string | undefined)[] {
  const installing = run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', tarball], folder)
  if (installing !== undefined) return [`does not install: ${installing}`]
  return names.map((name) => run(join(folder, 'node_modules/.bin', name), firstWords[name] ?? ['--help'], folder))
}

/** The output of the command when it failed; undefined when it succeeded. */
function run(command: string, args: readonly string[], cwd: string): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  return status === 0 ? undefined : `${stdout}${stderr}`.trim()
}
