import { type Command, Option } from 'commander'
import { httpUrl } from './http-url.ts'

const example = 'http://127.0.0.1:3000/mcp'

/** Adds the options of all commands that connect to a gateway as a client. */
export function withClientOptions(command: Command): Command {
  return command
    .option(
      '-c, --config <file>',
      'start a gateway with this file for the command; default: the one in this folder, else the demo',
    )
    .addOption(
      new Option('--url <url>', `use a running gateway: ${example}`).argParser(httpUrl(example)).conflicts('config'),
    )
    .addOption(new Option('--key <key>', 'a key or token for --url').env('JUNCTOR_KEY'))
    .option('--json', 'print JSON')
}
