import { type Command, Option } from 'commander'
import { httpUrl } from './http-url.ts'

const example = 'http://127.0.0.1:3001'

/** Adds the options of all commands that query a running gateway. */
export function withAdminOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--admin <url>', `its admin port: ${example}`).env('JUNCTOR_ADMIN_URL').argParser(httpUrl(example)),
    )
    .addOption(new Option('--token <token>', 'the value of listen.admin.token').env('JUNCTOR_ADMIN_TOKEN'))
    .option('-c, --config <file>', 'the configuration of the gateway; default: the one in this folder')
    .option('--json', 'print JSON')
}
