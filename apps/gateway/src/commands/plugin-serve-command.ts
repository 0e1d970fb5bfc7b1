import { exitCodes } from '@junctor/command/exit'
import { processLogLevels } from '@junctor/telemetry/log-levels'
import { Command, Option } from 'commander'
import type { PluginServeOptions } from '../plugin/run-plugin-serve.ts'
import { pluginOptionsOption } from './plugin-options.ts'
import { parsePort } from './parse-port.ts'

const help = `
Without a gateway in between: as a component over plain HTTP, which any gateway uses as { tool: URL }, or with --stdio as an
MCP server for a client that starts its servers itself.
A component answers GET with what its tool is, and POST with the result: the body is the arguments. A plugin with several
tools has each at /tools/NAME, and lists them at /, as a registry for { tool: { registry: URL } }.

Examples:
  junctor plugin serve ./weather.ts --options '{"city":"Oslo"}' --port 8080
  junctor plugin serve node_modules/@acme/weather --stdio

Exit codes:
  ${exitCodes.done}  stopped by SIGTERM, SIGINT or the end of standard input
  ${exitCodes.failed}  failed while it ran
  ${exitCodes.usage}  the command line cannot be used
  ${exitCodes.config}  the plugin or its options cannot be used
  ${exitCodes.listen}  the address to listen on is not available`

/** `junctor plugin serve`. */
export function createPluginServeCommand(process: NodeJS.Process): Command {
  return new Command('serve')
    .description('serve a plugin alone: as an HTTP component, or as an MCP server on standard streams')
    .argument('[file]', 'the plugin: a file or a folder; default: this folder')
    .addOption(pluginOptionsOption())
    .addOption(new Option('--stdio', 'serve one MCP client on standard input and output').conflicts(['port', 'host']))
    .option('--port <number>', 'listen on this port; 0 for a free one', parsePort, 8080)
    .option('--host <address>', 'listen on this address', '127.0.0.1')
    .addOption(new Option('--log-level <level>', 'what to log').choices(processLogLevels).default('warn'))
    .addHelpText('after', help)
    .action(async (path: string | undefined, options: PluginServeOptions) => {
      const { runPluginServe } = await import('../plugin/run-plugin-serve.ts')
      await runPluginServe(process, path ?? '.', options)
    })
}
