import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { catalogue, type LocalCode } from '@junctor/protocol'
import { findNatsServer, findPython, freePort } from '@junctor/testkit'
import { beforeAll, describe, expect, test } from 'vitest'
import { atPorts } from '../src/guides/at-ports.ts'
import { readGuide } from '../src/guides/read-guide.ts'
import { runGuide } from '../src/guides/run-guide.ts'

const repository = resolve(import.meta.dirname, '../../..')
const guides = join(repository, 'docs/guides')

/** The ports in guides, including one where no program listens. */
const named = ['3000', '3001', '3002', '3003', '3004', '3999', '4222']

/** The exit codes of the command, which is not a package to import from. */
const exitCodes = readFileSync(join(repository, 'packages/command/src/exit-codes.ts'), 'utf8').match(
  /(?<=^ {2}\w+: )\d+/gm,
)

/** Every local code: the compiler checks that none is missing. */
const localCodes: Readonly<Record<LocalCode, true>> = {
  CONFIG_INVALID: true,
  LISTEN_FAILED: true,
  CLOSED: true,
  TIMED_OUT: true,
  LIMIT_REACHED: true,
  BACKEND_UNREACHABLE: true,
  BACKEND_REFUSED: true,
  BACKEND_EXITED: true,
  NODE_LEFT: true,
  PROTOCOL_VIOLATED: true,
  FABRIC_UNAVAILABLE: true,
  BUG: true,
}

const names = readdirSync(guides)

let python: string
let natsServer: string
let ports: readonly number[]
beforeAll(async () => {
  python = await findPython()
  natsServer = await findNatsServer()
  ports = await freePorts(names.length * named.length)
}, 120_000)

test.each(names)('%s works exactly as written', { timeout: 300_000 }, async (name) => {
  const home = mkdtempSync(join(tmpdir(), 'junctor-guide-'))
  try {
    const first = names.indexOf(name) * named.length
    const own = new Map(named.map((port, index) => [port, ports[first + index] ?? 0]))
    const steps = readGuide(atPorts(readFileSync(join(guides, name), 'utf8'), own))
    expect(steps.filter(({ kind }) => kind === 'run').length).toBeGreaterThan(3)
    await runGuide(steps, { folder: join(home, 'gateway'), home, repository, programs: [furnish(home)] })
  } finally {
    rmSync(home, { recursive: true })
  }
})

/** Prepares a home folder with everything that guides expect. Returns the folder with the programs. */
function furnish(home: string): string {
  const programs = join(home, '.programs')
  mkdirSync(join(home, 'gateway'))
  mkdirSync(programs)
  symlinkSync(python, join(programs, 'python3'))
  symlinkSync(process.execPath, join(programs, 'node'))
  // Otherwise it is on the PATH.
  if (isAbsolute(natsServer)) symlinkSync(natsServer, join(programs, 'nats-server'))
  // npx finds packages in the parent folders; no registry is available.
  symlinkSync(join(repository, 'apps/e2e/node_modules'), join(home, 'node_modules'))
  writeFileSync(join(home, '.npmrc'), 'registry=http://127.0.0.1:9/\nupdate-notifier=false\n')
  return programs
}

describe('what-went-wrong.md', () => {
  /** The cells after the first one of a row: cause and next step. */
  const rows = rowsOf(readFileSync(join(guides, 'what-went-wrong.md'), 'utf8'))

  test.each(Object.entries(catalogue))('has for %s the texts of the catalogue', (situation, { cause, nextStep }) => {
    expect(rows.get(`[${situation}](../errors.md#${situation})`)).toEqual([cause, nextStep])
  })

  test.each(Object.keys(localCodes))('has the cause and next step of %s', (code) => {
    expect(rows.get(`\`${code}\``)).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
  })

  test.each(exitCodes ?? [])('has the cause and next step of exit code %s', (code) => {
    expect(rows.get(code)).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
  })

  test('has exit codes', () => expect(exitCodes).toContain('0'))

  test('links only to existing pages', () => {
    const errors = readFileSync(join(repository, 'docs/errors.md'), 'utf8')
    const linked = [...rows.keys()].flatMap((head) => /errors\.md#(\w+)/.exec(head)?.[1] ?? [])
    expect(linked.filter((situation) => !errors.includes(`\n### ${situation}\n`))).toEqual([])
  })
})

/** The tables of a page, by the first cell of each row. */
function rowsOf(markdown: string): ReadonlyMap<string, readonly string[]> {
  const lines = markdown.split('\n').filter((line) => line.startsWith('| '))
  return new Map(
    lines.map((line) => {
      const [head = '', ...cells] = line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim())
      return [head, cells]
    }),
  )
}

/** This many ports that no program uses, and that the system gives to none. */
async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>()
  // oxlint-disable-next-line no-await-in-loop -- until there are as many different ones
  while (found.size < count) found.add(await freePort())
  return [...found]
}
