import { exitCodes } from '@junctor/command/exit'
import { Command, Option } from 'commander'
import type { EventsOptions } from '../admin/run-events.ts'
import { withAdminOptions } from './admin-options.ts'

const help = `
Examples:
  junctor events --since 1h --status failure
  junctor events --follow --type gateway.tool_call    of this node alone
  junctor events --trace 4bf92f35-77b3-4da6-a3ce-929d0e0e4736 --json

Exit codes:
  ${exitCodes.done}  the events were shown; with --follow, ended by SIGINT, SIGTERM or their reader
  ${exitCodes.failed}  no gateway answered, or it refused
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the configuration cannot be used`

/** `junctor events`. */
export function createEventsCommand(process: NodeJS.Process): Command {
  return withAdminOptions(
    new Command('events').description('show the events of a running gateway, from all of its nodes'),
  )
    .option('-f, --follow', 'show new events as they come, of the node that is asked')
    .option('--tenant <name>', 'only events of this tenant; default: of all')
    .option('--trace <id>', 'only events of one call: its trace id')
    .option('--type <type>', 'only events of this type, such as gateway.tool_call')
    .addOption(
      new Option('--status <status>', 'only events with this status').choices(['success', 'failure', 'pending']),
    )
    .option('--since <time>', 'only newer events: 30m, 24h, 7d or 2026-01-31T12:00:00Z')
    .option('--limit <count>', 'how many of the newest events, at most 1000; default: 100')
    .addHelpText('after', help)
    .action(async (options: EventsOptions) => {
      const { runEvents } = await import('../admin/run-events.ts')
      await runEvents(process, options)
    })
}
