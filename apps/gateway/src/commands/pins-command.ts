import { exitCodes } from '@junctor/command/exit'
import { Command } from 'commander'
import type { PinsOptions } from '../pins/run-pins.ts'
import { listsTimeoutOption } from './lists-timeout-option.ts'

const exits = (done: string, failed: string): string => `
Exit codes:
  ${exitCodes.done}  ${done}
  ${exitCodes.failed}  ${failed}
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the configuration cannot be used
  ${exitCodes.backend}  a backend cannot be used`

const help = `
A server can change a tool after you have read its description. With "pins: block" in the configuration, clients see a
tool only as you approved it; with "pins: warn", the log and \`junctor status\` name the others. What you approved is in
junctor.pins.json beside junctor.yaml: keep both under version control.

Examples:
  junctor pins show                        what differs from what was approved
  junctor pins approve                     approve every tool as it is now
  junctor pins approve weather forecast    approve one tool of one backend
${exits('all tools are as approved, or were approved', 'some are not, or the file of the approved ones cannot be read or written')}`

/** `junctor pins`: shows and approves the definitions of tools. */
export function createPinsCommand(process: NodeJS.Process): Command {
  return new Command('pins')
    .description('compare tools with the approved ones, and approve tools')
    .addHelpText('after', help)
    .addCommand(
      withOptions(new Command('show').description('compare the tools of backends with those that were approved'))
        .argument('[backend]', 'the backend; default: all')
        .option('--json', 'print JSON')
        .addHelpText(
          'after',
          `\nExamples:\n  junctor pins show --config servers.json\n${exits('all tools are as approved', 'some are not, or the file of the approved ones cannot be read')}`,
        )
        .action(async (backend: string | undefined, options: PinsOptions) => {
          const { runPins } = await import('../pins/run-pins.ts')
          await runPins(process, options, { backend })
        }),
    )
    .addCommand(
      withOptions(new Command('approve').description('approve tools as they are now'))
        .argument('[backend]', 'the backend; default: all')
        .argument('[tools...]', 'the names of tools, without a prefix; default: all')
        .addHelpText(
          'after',
          `\nExamples:\n  junctor pins approve weather\n${exits('the tools were approved', 'the file of the approved ones cannot be read or written')}`,
        )
        .action(async (backend: string | undefined, tools: readonly string[], options: PinsOptions) => {
          const { runPins } = await import('../pins/run-pins.ts')
          await runPins(process, options, { backend, tools })
        }),
    )
}

function withOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'the configuration; default: the one in this folder')
    .addOption(listsTimeoutOption('how long to wait for the lists of a backend'))
}
