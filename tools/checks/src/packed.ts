import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { report, type Problem } from './problem.ts'
import { REPOSITORY, readWorkspace } from './workspace.ts'

// What would be published: the tarball that pnpm makes of each public package, judged by publint and attw.
// The tarball and not the folder, because only packing puts the built doors and real versions in place.
const bin = join(REPOSITORY, 'node_modules/.bin')
const packages = readWorkspace(REPOSITORY).filter(({ manifest }) => manifest.private !== true)
const problems = packages.flatMap(({ folder }) => judgePacked(folder))
report('packed', `${packages.length} packages`, problems)

function judgePacked(folder: string): Problem[] {
  const scratch = mkdtempSync(join(tmpdir(), 'junctor-packed-'))
  try {
    const packing = run('pnpm', ['pack', '--pack-destination', scratch], folder)
    if (packing !== undefined) return [{ where: folder, what: `does not pack: ${packing}` }]
    const tarball = join(scratch, readdirSync(scratch).find((file) => file.endsWith('.tgz')) ?? '')
    const publint = run(join(bin, 'publint'), [tarball, '--strict'], folder)
    const attw = run(join(bin, 'attw'), [tarball, '--profile', 'esm-only', '--no-color'], folder)
    return [publint, attw].filter((output) => output !== undefined).map((what) => ({ where: folder, what }))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** What the command said when it failed; undefined when all is well. */
function run(command: string, args: readonly string[], folder: string): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: join(REPOSITORY, folder), encoding: 'utf8' })
  return status === 0 ? undefined : `${stdout}${stderr}`.trim()
}
