import { showConfig } from '@junctor/config'
import { defaultLimits } from '@junctor/node'
import { Command, InvalidArgumentError } from 'commander'
import { stringify } from 'yaml'
import { check } from '../check/check.ts'
import { createCheckReport } from '../check/check-report.ts'
import { exitCodes } from '../exit-codes.ts'
import { createTextReport } from '../report/text-report.ts'
import { chooseSource } from '../serve/config-source.ts'

interface CheckOptions {
  readonly config?: string
  readonly show?: true
  readonly json?: true
  /** Seconds. */
  readonly timeout: number
}

const help = `
Every problem is told with its place in the file, what came, what was expected, and what to do.
Backends are started, asked for their tools, and ended again.

Examples:
  junctor check                            the folder's junctor.yaml
  junctor check --config servers.json
  junctor check --show                     what is in effect, defaults included, without secrets

Exit codes:
  ${exitCodes.done}  all is well
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the configuration cannot be used
  ${exitCodes.backend}  a backend cannot be used`

/** `junctor check`. */
export function createCheckCommand(process: NodeJS.Process): Command {
  return new Command('check')
    .description('check a configuration, and every backend in it')
    .option('-c, --config <file>', 'the configuration; default: that of the folder, else the demo')
    .option('--show', 'print the configuration as it is in effect, and connect to nothing')
    .option('--json', 'print JSON')
    .option('--timeout <seconds>', 'how long a backend may take to start', seconds, 30)
    .addHelpText('after', help)
    .action(async (options: CheckOptions) => {
      const { stdout, stderr } = process
      const source = chooseSource(options, process.cwd(), process.env)
      try {
        const parsed = source.read()
        if (parsed.kind === 'invalid') {
          if (options.json === true) stdout.write(`${JSON.stringify({ valid: false, problems: parsed.problems })}\n`)
          else createTextReport(stderr, stderr.isTTY && stderr.hasColors()).invalid(parsed.problems)
          process.exitCode = exitCodes.config
          return
        }
        if (options.show === true) {
          const shown = showConfig(parsed.config, defaultLimits)
          stdout.write(options.json === true ? `${JSON.stringify(shown, null, 2)}\n` : stringify(shown))
          return
        }
        const report = createCheckReport(process, options.json === true)
        report.starting(parsed.config.backends.length)
        const checked = await check(source.file ?? 'demo', parsed, options.timeout * 1000, report.tried)
        report.checked(checked)
        if (checked.problems.length > 0) process.exitCode = exitCodes.backend
      } finally {
        source.remove()
      }
    })
}

function seconds(text: string): number {
  const value = Number(text)
  if (Number.isFinite(value) && value > 0) return value
  throw new InvalidArgumentError('Expected a number of seconds above 0.')
}
