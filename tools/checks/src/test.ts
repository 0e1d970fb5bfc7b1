import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { findNatsServer } from '@junctor/testkit/find-nats-server'
import { buildPrograms } from './build-programs.ts'
import { afterRepeat, filesToRepeat, type RunOutcome, settle, summary } from './outcome.ts'

// The test command: all of vitest, then one line with the totals, which is always the last. With `--repeat-failed`, up
// to three files that failed are run once more, alone: docs/decisions/repeated-tests.md says why.
const root = join(import.meta.dirname, '../../..')
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const scratch = mkdtempSync(join(tmpdir(), 'junctor-test-'))
const countsFile = join(scratch, 'counts.json')

// `pnpm test -- x` passes the dashes on too.
const given = process.argv.slice(2)
const words = given[0] === '--' ? given.slice(1) : given
const repeatOption = '--repeat-failed'
const args = words.filter((word) => word !== repeatOption)

const isWhole = args.length === 0

// Started several hundred times by a whole run, and by few tests alone.
const built = isWhole ? await buildPrograms() : undefined

// Once for all tests, which would otherwise all search at the same time. Where there is none, the tests explain how to
// get one.
let natsServer: string | undefined
try {
  natsServer = await findNatsServer()
} catch (error) {
  console.error(String(error))
}

/** Runs vitest to its end. */
async function run(parameters: readonly string[]): Promise<RunOutcome> {
  rmSync(countsFile, { force: true })
  const child = spawn(process.execPath, [vitest, 'run', ...parameters], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      TEST_COUNTS: countsFile,
      ...(natsServer !== undefined && { NATS_SERVER_BIN: natsServer }),
      ...(built && { TEST_JUNCTOR_PROGRAM: built.junctor, TEST_PROGRAMS: built.folder }),
    },
  })
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, forward)
  const [code] = (await once(child, 'exit')) as [number | null]
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, forward)
  let written: string | undefined
  try {
    written = readFileSync(countsFile, 'utf8')
  } catch {
    // vitest ended before it could report; settle() counts that as a failure.
  }
  return settle(code, written)
}

let outcome = await run(isWhole ? ['--config', 'vitest.whole.config.ts'] : args)
const repeated = words.includes(repeatOption) ? filesToRepeat(outcome) : []
if (repeated.length > 0) {
  const files = repeated.map((file) => relative(root, file))
  console.log(`\n${summary(outcome)}. Run once more, alone: ${files.join(', ')}`)
  outcome = afterRepeat(outcome, await run(files))
  console.log(`\nFailed at first: ${files.join(', ')}. Each is unsteady, or was broken twice: find out why.`)
}
rmSync(scratch, { recursive: true, force: true })
console.log(`\n${summary(outcome)}`)
process.exitCode = outcome.failed > 0 ? 1 : 0
