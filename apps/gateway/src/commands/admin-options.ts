import { type Command, Option } from 'commander'
import type { AdminOptions } from '../admin/admin-place.ts'

/** Adds what commands share that look into a running gateway. */
export function withAdminOptions(command: Command): Command {
  return command
    .addOption(new Option('--admin <url>', 'its admin port: http://127.0.0.1:3001').env('JUNCTOR_ADMIN_URL'))
    .addOption(new Option('--token <token>', 'what listen.admin.token says').env('JUNCTOR_ADMIN_TOKEN'))
    .option('-c, --config <file>', 'the configuration that it runs with; default: that of the folder')
    .option('--json', 'print JSON')
}

/** What they were told. */
export interface LookOptions extends AdminOptions {
  readonly json?: true
}
