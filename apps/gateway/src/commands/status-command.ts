import { Command } from 'commander'
import { exitCodes } from '@junctor/command/exit'
import type { AdminCommandOptions } from '../admin/admin-endpoint.ts'
import { withAdminOptions } from './admin-options.ts'

const help = `
Examples:
  junctor status                                     the gateway of the folder's junctor.yaml
  junctor status --config gateway.yaml --json
  junctor status --admin http://127.0.0.1:3001 --token "$TOKEN"

Exit codes:
  ${exitCodes.done}  the state was printed
  ${exitCodes.failed}  no gateway answered, or it refused
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the configuration cannot be used`

/** `junctor status`. */
export function createStatusCommand(process: NodeJS.Process): Command {
  return withAdminOptions(new Command('status').description('show the state of a running gateway'))
    .addHelpText('after', help)
    .action(async (options: AdminCommandOptions) => {
      const { runStatus } = await import('../admin/run-status.ts')
      await runStatus(process, options)
    })
}
