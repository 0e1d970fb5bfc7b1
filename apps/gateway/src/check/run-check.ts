import { enterChain } from '@junctor/command'
import { type ExitCode, exitCodes } from '@junctor/command/exit'
import { printYaml, showConfig } from '@junctor/config'
import { defaultLimits } from '@junctor/node'
import { jsonText } from '../report/json-text.ts'
import { chooseSource } from '../serve/config-source.ts'
import { createJsonCheckReport, createTextCheckReport } from './check-report.ts'
import { check, type CheckResult } from './check.ts'

/** What the user typed. */
export interface CheckOptions {
  readonly config?: string
  readonly show?: true
  readonly json?: true
  /** Milliseconds. */
  readonly timeout: number
}

/** It is often reached from the nodes alone. */
const natsNote = 'NATS was not tried: nodes connect to it when they start.\n'

/** Checks a configuration and every backend in it, and prints what it finds. */
export async function runCheck(process: NodeJS.Process, { config, show, json, timeout }: CheckOptions): Promise<void> {
  const report = json === true ? createJsonCheckReport(process.stdout) : createTextCheckReport(process)
  const source = chooseSource({ ...(config !== undefined && { config }) }, process.cwd(), process.env)
  try {
    const parsed = await source.read()
    if (parsed.kind === 'invalid') {
      report.invalid(parsed.problems)
      process.exitCode = exitCodes.config
    } else if (show === true) {
      const shown = showConfig(parsed.config, defaultLimits)
      process.stdout.write(json === true ? jsonText(shown) : printYaml(shown))
    } else {
      // An entry that is this same gateway fails as a backend here, as it does in `junctor serve`.
      enterChain(source.file, process.env)
      report.starting(parsed.config.backends.map(({ name }) => name))
      const checked = await check(source.file ?? 'demo', parsed, timeout, (backend) => report.tried(backend))
      report.checked(checked)
      if (parsed.config.fabric !== 'memory' && json !== true) process.stdout.write(natsNote)
      process.exitCode = codeOf(checked)
    }
  } finally {
    source.remove()
  }
}

/** A problem of one backend takes precedence over a problem between two. */
function codeOf({ problems }: CheckResult): ExitCode {
  if (problems.length === 0) return exitCodes.done
  const inFile = ['name_collision', 'options']
  return problems.every(({ kind }) => inFile.includes(kind)) ? exitCodes.config : exitCodes.backend
}
