import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { catalogue, type LocalCode } from '@junctor/protocol'
import { findPython } from '@junctor/testkit'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exitCodes } from '../../gateway/src/exit-codes.ts'
import { atPorts } from '../src/guides/at-ports.ts'
import { readGuide } from '../src/guides/read-guide.ts'
import { runGuide } from '../src/guides/run-guide.ts'

const repository = resolve(import.meta.dirname, '../../..')
const guides = join(repository, 'docs/guides')

/** The ports that guides name, the one that nobody listens on included. */
const named = ['3000', '3001', '3999']

/** Every local code: the compiler sees to it that none is missing. */
const localCodes: Readonly<Record<LocalCode, true>> = {
  CONFIG_INVALID: true,
  LISTEN_FAILED: true,
  CLOSED: true,
  TIMED_OUT: true,
  LIMIT_REACHED: true,
  BACKEND_UNREACHABLE: true,
  BACKEND_REFUSED: true,
  BACKEND_EXITED: true,
  PROTOCOL_VIOLATED: true,
  FABRIC_UNAVAILABLE: true,
  BUG: true,
}

let python: string
beforeAll(async () => {
  python = await findPython()
}, 120_000)

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'junctor-guide-'))
})
afterEach(() => rmSync(home, { recursive: true }))

test.each(readdirSync(guides))('%s can be followed to the letter', { timeout: 120_000 }, async (name) => {
  const folder = join(home, 'gateway')
  const programs = join(home, '.programs')
  mkdirSync(folder)
  mkdirSync(programs)
  symlinkSync(python, join(programs, 'python3'))
  // npx takes packages from the folders above, and can ask no registry for others: nobody is there.
  symlinkSync(join(repository, 'apps/e2e/node_modules'), join(home, 'node_modules'))
  writeFileSync(join(home, '.npmrc'), 'registry=http://127.0.0.1:9/\nupdate-notifier=false\n')
  const text = atPorts(readFileSync(join(guides, name), 'utf8'), await freePorts(named))
  const steps = readGuide(text)
  expect(steps.filter(({ kind }) => kind === 'run').length).toBeGreaterThan(3)
  await runGuide(steps, { folder, home, repository, programs: [programs] })
})

describe('what-went-wrong.md', () => {
  /** What follows the first cell of a row: cause and next step. */
  const rows = rowsOf(readFileSync(join(guides, 'what-went-wrong.md'), 'utf8'))

  test.each(Object.entries(catalogue))('tells of %s what the catalogue tells', (situation, { cause, nextStep }) => {
    expect(rows.get(`[${situation}](../errors.md#${situation})`)).toEqual([cause, nextStep])
  })

  test.each(Object.keys(localCodes))('tells cause and next step of %s', (code) => {
    expect(rows.get(`\`${code}\``)).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
  })

  test.each(Object.values(exitCodes))('tells cause and next step of exit code %s', (code) => {
    expect(rows.get(`${code}`)).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
  })

  test('links only to what is there', () => {
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

/** Ports that nobody has, one for each of these; they are free again when this resolves. */
async function freePorts(ports: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const servers = await Promise.all(
    ports.map(async () => {
      const { promise, resolve: listening } = Promise.withResolvers<void>()
      const server = createServer().listen(0, '127.0.0.1', listening)
      await promise
      return server
    }),
  )
  const found = servers.map((server) => (server.address() as { port: number }).port)
  for (const server of servers) server.close()
  return new Map(ports.map((port, index) => [port, found[index] ?? 0]))
}
