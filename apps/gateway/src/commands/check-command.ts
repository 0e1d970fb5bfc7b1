import { Command } from 'commander'
import { exitCodes } from '@junctor/command/exit'
import type { CheckOptions } from '../check/run-check.ts'
import { listsTimeoutOption } from './lists-timeout-option.ts'

const help = `
Prints every problem with its position in the file, the value found, the value expected, and what to do.
Starts each backend, or connects to it, and reads its lists; then stops it, or disconnects.
It does not connect to NATS.

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
    .action(async (options: CheckOptions) => {
      const { runCheck } = await import('../check/run-check.ts')
      await runCheck(process, options)
    })
}
