import { showConfig } from '@junctor/config'
import { defaultLimits } from '@junctor/node'
import { Command } from 'commander'
import { stringify } from 'yaml'
import { check, type CheckResult } from '../check/check.ts'
import { createJsonCheckReport, createTextCheckReport } from '../check/check-report.ts'
import { enterChain, type ExitCode, exitCodes } from '@junctor/command'
import { chooseSource } from '../serve/config-source.ts'
import { listsTimeoutOption } from './lists-timeout-option.ts'

interface CheckOptions {
  readonly config?: string
  readonly show?: true
  readonly json?: true
  /** Milliseconds. */
  readonly timeout: number
}

const help = `
Prints every problem with its position in the file, the value found, the value expected, and what to do.
Starts each backend, or connects to it, and reads its lists; then stops it, or disconnects.

Examples:
  junctor check                            the folder's junctor.yaml, else the demo
  junctor check --config servers.json
  junctor check --show                     the configuration in effect, with defaults, without secrets

Exit codes:
  ${exitCodes.done}  all is well
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the configuration cannot be used, or two backends use the same name
  ${exitCodes.backend}  a backend cannot be used`

/** `junctor check`. */
export function createCheckCommand(process: NodeJS.Process): Command {
  return new Command('check')
    .description('check a configuration, and every backend in it')
    .option('-c, --config <file>', 'the configuration; default: the one in this folder, else the demo')
    .option('--show', 'print the configuration in effect, and connect to nothing')
    .option('--json', 'print JSON')
    .addOption(listsTimeoutOption('how long to wait for the lists of a backend'))
    .addHelpText('after', help)
    .action(async ({ config, show, json, timeout }: CheckOptions) => {
      const report = json === true ? createJsonCheckReport(process.stdout) : createTextCheckReport(process)
      const source = chooseSource({ ...(config !== undefined && { config }) }, process.cwd(), process.env)
      try {
        const parsed = await source.read()
        if (parsed.kind === 'invalid') {
          report.invalid(parsed.problems)
          process.exitCode = exitCodes.config
        } else if (show === true) {
          const shown = showConfig(parsed.config, defaultLimits)
          process.stdout.write(json === true ? `${JSON.stringify(shown, null, 2)}\n` : stringify(shown))
        } else {
          // An entry that is this same gateway fails as a backend here, as it does in `junctor serve`.
          enterChain(source.file, process.env)
          report.starting(parsed.config.backends.map(({ name }) => name))
          const checked = await check(source.file ?? 'demo', parsed, timeout, (backend) => report.tried(backend))
          report.checked(checked)
          process.exitCode = codeOf(checked)
        }
      } finally {
        source.remove()
      }
    })
}

/** A problem of one backend takes precedence over a problem between two. */
function codeOf({ problems }: CheckResult): ExitCode {
  if (problems.length === 0) return exitCodes.done
  const inFile = ['name_collision', 'options']
  return problems.every(({ kind }) => inFile.includes(kind)) ? exitCodes.config : exitCodes.backend
}
