import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findPython } from '@junctor/testkit'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { atPorts } from '../src/guides/at-ports.ts'
import { readGuide } from '../src/guides/read-guide.ts'
import { runGuide } from '../src/guides/run-guide.ts'

const repository = resolve(import.meta.dirname, '../../..')
const guides = join(repository, 'docs/guides')

/** The ports that guides name, the one that nobody listens on included. */
const named = ['3000', '3001', '3999']

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
  writeFileSync(join(home, '.npmrc'), 'registry=http://127.0.0.1:9/\nfetch-retries=0\n')
  const text = atPorts(readFileSync(join(guides, name), 'utf8'), await freePorts(named))
  const steps = readGuide(text)
  expect(steps.filter(({ kind }) => kind === 'run').length).toBeGreaterThan(3)
  await runGuide(steps, { folder, home, repository, programs: [programs] })
})

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
