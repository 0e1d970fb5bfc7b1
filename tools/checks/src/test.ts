import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findNatsServer } from '@junctor/testkit/find-nats-server'
import { settle, summary, type RunOutcome } from './outcome.ts'

// The test command: all of vitest, then one line with the totals, which is always the last.
const root = join(import.meta.dirname, '../../..')
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const scratch = mkdtempSync(join(tmpdir(), 'junctor-test-'))
const countsFile = join(scratch, 'counts.json')

// `pnpm test -- x` passes the dashes on too.
const given = process.argv.slice(2)
const args = given[0] === '--' ? given.slice(1) : given

// Once for all tests, which would otherwise all search at the same time. Where there is none, the tests explain how to
// get one.
let natsServer: string | undefined
try {
  natsServer = await findNatsServer()
} catch (error) {
  console.error(String(error))
}

const child = spawn(process.execPath, [vitest, 'run', ...args], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    TEST_COUNTS: countsFile,
    ...(natsServer !== undefined && { NATS_SERVER_BIN: natsServer }),
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
const [code] = (await once(child, 'exit')) as [number | null]

let written: string | undefined
try {
  written = readFileSync(countsFile, 'utf8')
} catch {
  // vitest ended before it could report; settle() counts that as a failure.
}
rmSync(scratch, { recursive: true, force: true })

const outcome: RunOutcome = settle(code, written)
console.log(`\n${summary(outcome)}`)
process.exitCode = outcome.failed > 0 ? 1 : 0
