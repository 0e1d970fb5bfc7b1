import { compiledOnce } from '@junctor/testkit'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Findings, readChecks } from './read-checks.ts'
import type { Suite } from './suites.ts'

/** The timeout of a suite, in milliseconds: many times the duration of the longest on a slow machine. */
const timeoutMs = 120_000

/**
 * Runs a suite against its target: `--url` and a server's, or `--command` and a client's. Never rejects: a suite that
 * does not finish, or reports an unspecified failure, is a failure.
 *
 * @param see called with each line that the suite prints
 */
export async function runSuite(
  { name, command, unscored }: Suite,
  target: readonly string[],
  scratch: string,
  see: (line: string) => void = () => {},
): Promise<Findings> {
  const folder = join(scratch, name.replaceAll(' ', '-'))
  mkdirSync(folder, { recursive: true })
  const suite = spawn(process.execPath, [...command, ...target, '--output-dir', folder], {
    env: { ...process.env, ...compiledOnce },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const [output, errors, [code]] = await Promise.all([
    linesOf(suite.stdout, see),
    text(suite.stderr),
    once(suite, 'exit') as Promise<[number | null]>,
  ])
  const findings = readChecks(folder, unscored)
  if (code === 0 && findings.passed > 0) return findings
  if (findings.failures.length + findings.warnings.length > 0) return findings
  const lastLines = `${output}${errors}`.trimEnd().split('\n').slice(-5).join('\n')
  return { ...findings, failures: [`the suite ended with ${code ?? 'a signal'}: ${lastLines}`] }
}

/** Reads all lines, and reports each when it comes. */
async function linesOf(output: Readable, see: (line: string) => void): Promise<string> {
  const lines: string[] = []
  for await (const line of createInterface({ input: output })) {
    lines.push(line)
    see(line)
  }
  return lines.join('\n')
}
