import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { findNatsServer, findPython, freePort, junctorArgs } from '@junctor/testkit'
import { beforeAll, expect, test } from 'vitest'
import { atPorts } from './at-ports.ts'
import { readGuide, unnamedFiles } from './read-guide.ts'
import { runGuide } from './run-guide.ts'

/** The root of this repository. */
export const repository: string = resolve(import.meta.dirname, '../../../..')

/** The ports on pages, including one where no program listens. */
const named = ['3000', '3001', '3002', '3003', '3004', '3999', '4222']

/** Programs that pages use, as absolute paths or names on the PATH. */
interface Programs {
  readonly python: string
  readonly natsServer: string
}

/**
 * A test for each page of a folder of `docs`: it does what the page says, step by step.
 *
 * @param leastRuns how many commands each page has at least
 */
export function describePages(folder: string, leastRuns: number): void {
  const pages = join(repository, 'docs', folder)
  const names = readdirSync(pages)
  let programs: Programs | undefined
  let ports: readonly number[] = []
  beforeAll(async () => {
    programs = { python: await findPython(), natsServer: await findNatsServer() }
    ports = await freePorts(names.length * named.length)
  }, 120_000)

  test.each(names)('%s works exactly as written', { timeout: 300_000 }, async (name) => {
    if (programs === undefined) throw new Error('the programs are found before the tests')
    const home = mkdtempSync(join(tmpdir(), 'junctor-guide-'))
    try {
      const first = names.indexOf(name) * named.length
      const own = new Map(named.map((port, index) => [port, ports[first + index] ?? 0]))
      const markdown = readFileSync(join(pages, name), 'utf8')
      expect(unnamedFiles(markdown)).toEqual([])
      const steps = readGuide(atPorts(markdown, own))
      expect(steps.filter(({ kind }) => kind === 'run').length).toBeGreaterThanOrEqual(leastRuns)
      await runGuide(steps, { folder: join(home, 'gateway'), home, repository, programs: [furnish(home, programs)] })
    } finally {
      rmSync(home, { recursive: true })
    }
  })
}

/** Words of a shell. */
function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' ')
}

const fileServer = '@modelcontextprotocol/server-filesystem'

/** npx itself takes a second to find a program that is installed, for each start of the server that most pages have. */
const npx = `#!/bin/sh
if [ "$1 $2" = '-y ${fileServer}' ]; then
  shift 2
  exec node '${join(repository, 'apps/e2e/node_modules', fileServer, 'dist/index.js')}' "$@"
fi
PATH=\${PATH#*:} exec npx "$@"
`

/** Prepares a home folder with everything that guides expect. Returns the folder with the programs. */
function furnish(home: string, { python, natsServer }: Programs): string {
  // Beside `deploy`, as in a clone: pages take files from there.
  const programs = join(home, '.clone/bin')
  mkdirSync(join(home, 'gateway'))
  mkdirSync(programs, { recursive: true })
  symlinkSync(join(repository, 'deploy'), join(home, '.clone/deploy'))
  symlinkSync(python, join(programs, 'python3'))
  symlinkSync(process.execPath, join(programs, 'node'))
  writeFileSync(join(programs, 'junctor'), `#!/bin/sh\nexec node ${quoted(junctorArgs)} "$@"\n`, { mode: 0o755 })
  writeFileSync(join(programs, 'npx'), npx, { mode: 0o755 })
  // Otherwise it is on the PATH.
  if (isAbsolute(natsServer)) symlinkSync(natsServer, join(programs, 'nats-server'))
  // npx finds packages in the parent folders; no registry is available.
  symlinkSync(join(repository, 'apps/e2e/node_modules'), join(home, 'node_modules'))
  writeFileSync(join(home, '.npmrc'), 'registry=http://127.0.0.1:9/\nupdate-notifier=false\n')
  return programs
}

/** This many ports that no program uses, and that the system gives to none. */
async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>()
  // oxlint-disable-next-line no-await-in-loop -- until there are as many different ones
  while (found.size < count) found.add(await freePort())
  return [...found]
}
