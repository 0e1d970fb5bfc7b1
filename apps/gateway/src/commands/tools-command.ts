import { Command } from 'commander'
import { exitCodes } from '@junctor/command/exit'
import type { ClientOptions } from '../client/use-client.ts'
import { withClientOptions } from './client-options.ts'

const help = `
Arguments in brackets are optional.

Examples:
  junctor tools                                      the tools of junctor.yaml in this folder, else of the demo
  junctor tools --config servers.json --json
  junctor tools --url http://127.0.0.1:3000/mcp --key "$API_KEY"

Exit codes:
  ${exitCodes.done}  the tools were listed
  ${exitCodes.failed}  the tools could not be listed
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the configuration cannot be used`

/** `junctor tools`. */
export function createToolsCommand(process: NodeJS.Process): Command {
  return withClientOptions(new Command('tools').description('list the tools that clients see'))
    .addHelpText('after', help)
    .action(async (options: ClientOptions) => {
      const { runTools } = await import('../client/run-tools.ts')
      await runTools(process, options)
    })
}
