import { processLogLevels } from '@junctor/telemetry/log-levels'
import { Command, Option } from 'commander'
import { exitCodes } from '@junctor/command/exit'
import type { ServeOptions } from '../serve/serve-options.ts'
import { parsePort } from './parse-port.ts'

const help = `
Without --config: junctor.yaml, junctor.yml or junctor.json in this folder, else the demo.
A file with "mcpServers", as Claude Desktop and Cursor write it, works unchanged.
Standard output has only protocol messages; all else goes to standard error.
The token of the admin port is listen.admin.token, else the value of JUNCTOR_ADMIN_TOKEN; the demo makes its own.

Examples:
  junctor serve                                   the demo on http://127.0.0.1:3000/mcp
  junctor serve --config junctor.yaml --port 0    on a free port
  junctor serve --stdio --config servers.json     for a client that starts its servers itself

Exit codes:
  ${exitCodes.done}  stopped by SIGTERM, SIGINT or the end of standard input; a second signal stops it immediately (143, 130)
  ${exitCodes.failed}  failed while it ran; requests under way were answered
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the configuration cannot be used
  ${exitCodes.listen}  the address to listen on is not available`

/** `junctor serve`. */
export function createServeCommand(process: NodeJS.Process): Command {
  return new Command('serve')
    .description('run a gateway')
    .option('-c, --config <file>', 'the configuration, in YAML or JSON')
    .addOption(
      new Option('--stdio', 'serve one client on standard input and output, instead of HTTP').conflicts([
        'port',
        'host',
      ]),
    )
    .option('--port <number>', 'listen on this port; 0 for a free one', parsePort)
    .option('--host <address>', 'listen on this address')
    .option('--admin-port <number>', 'the admin port; 0 for a free one', parsePort)
    .option('--json', 'when ready or failed, print one line of JSON on standard error')
    .addOption(new Option('--quiet', 'report nothing but what is wrong').hideHelp())
    .addOption(new Option('--log-level <level>', 'what to log').choices(processLogLevels).default('info'))
    .addHelpText('after', help)
    .action(async (options: ServeOptions) => {
      const { runServe } = await import('../serve/run-serve.ts')
      await runServe(process, options)
    })
}
